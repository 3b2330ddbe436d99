/** What the server says of a batch before it is paid: fees, the wallet afterwards, refusals, what was paid before. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { write } from "../api/client.ts";
import { useEnvironment } from "../api/place.ts";
import type { Repeated } from "../transfers/repeated-payment.tsx";
import type { PayoutRow } from "./payout-file.ts";

export interface Review {
  /** Made of what is paid: the same file has the same one in any browser, until it was paid. */
  readonly reference: string;
  readonly payableCount: number;
  readonly totalAmount: number;
  readonly totalFee: number;
  readonly totalDebit: number;
  readonly available: number;
  readonly availableAfter: number;
  readonly rejected: readonly { readonly line: number; readonly message: string }[];
  readonly repeated: (Repeated & { readonly lines: readonly number[] }) | null;
}

/** The same by places in the request. */
interface Reviewed extends Omit<Review, "rejected" | "repeated"> {
  readonly rejected: readonly { readonly index: number; readonly message: string }[];
  readonly repeated: (Repeated & { readonly indexes: readonly number[] }) | null;
}

/** `rows` are those that may be paid, so far as this page knows. */
export function useReview(rows: readonly PayoutRow[], payAgain: string | undefined) {
  const { door, key } = useEnvironment();
  const [visit] = useState(() => crypto.randomUUID());
  const transfers = rows.map((row) => ({
    accountNumber: row.accountNumber,
    bankCode: row.bankCode,
    amount: row.amount,
    reference: row.reference === "" ? `${visit}-${row.line}` : ownReference(row.reference, payAgain),
  }));
  return useQuery<Review>({
    queryKey: [key, "bulk-review", transfers],
    queryFn: async () => {
      const { rejected, repeated, ...rest } = await write<Reviewed>(door, "/transfers/bulk/review", {
        body: { transfers },
      });
      const lineAt = (index: number) => rows[index]?.line ?? 0;
      return {
        ...rest,
        rejected: rejected.map(({ index, message }) => ({ line: lineAt(index), message })),
        repeated: repeated === null ? null : { ...repeated, lines: repeated.indexes.map(lineAt) },
      };
    },
    enabled: transfers.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

const longestReference = 100;

/** A file that is paid again on purpose needs new references; those of the file stay readable in them. */
export function ownReference(reference: string, payAgain: string | undefined): string {
  if (payAgain === undefined) return reference;
  const ending = `-${payAgain.slice(-6)}`;
  return `${reference.slice(0, longestReference - ending.length)}${ending}`;
}
