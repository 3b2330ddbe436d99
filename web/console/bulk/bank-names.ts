/** Asks the banks, a few at a time, whose accounts these are. */
import type { NameEnquiry } from "@jara/sdk";
import { useCallback, useState } from "react";
import { ApiProblem } from "../../shared/call-api.ts";
import { read } from "../api/client.ts";
import { useEnvironment } from "../api/place.ts";
import { forEachOf } from "./payout-file.ts";

/** A bank's response: the account name and whether it matches the expected one, or why the bank gave no name. */
export type BankAnswer =
  | { readonly name: string; readonly bankName: string; readonly isOther: boolean }
  | { readonly refusal: string };

/** By the key of what was asked about. A merchant may name an order `constructor`: a plain object has that already. */
export type BankAnswers = ReadonlyMap<string, BankAnswer>;

interface Account {
  readonly bankCode: string;
  readonly accountNumber: string;
  /** Who is expected; the server compares, by the rule that payouts follow. */
  readonly accountName?: string | null;
}

const atOnce = 4;

/** Answers come one by one, by the key of what was asked about. */
export function useBankNames<Row extends Account>(keyOf: (row: Row) => string) {
  const { door } = useEnvironment();
  const [said, setSaid] = useState<BankAnswers>(new Map());
  const ask = useCallback(
    (rows: readonly Row[]) =>
      forEachOf(rows, atOnce, async (row) => {
        const { bankCode, accountNumber } = row;
        const expected = row.accountName == null || row.accountName === "" ? {} : { accountName: row.accountName };
        const question = { bankCode, accountNumber, ...expected };
        const answer = await read<NameEnquiry>(door, "/transfers/name-enquiry", question)
          .then(({ accountName, bankName, nameMatches }) => ({
            name: accountName,
            bankName,
            isOther: nameMatches === false,
          }))
          .catch((error: unknown) => ({
            refusal: error instanceof ApiProblem ? error.message : "The bank was not asked.",
          }));
        setSaid((before) => new Map([...before, [keyOf(row), answer]]));
      }),
    [door, keyOf],
  );
  return { said, ask };
}
