/** A sub-account as one who opens it sees it: a live one gets its number from a provider, which may take a while. */
import { type Static, Type } from "typebox";
import { type Kobo, zeroKobo } from "../money/kobo.ts";
import type { EnvironmentKind } from "../platform/database/database.ts";
import { named } from "../platform/http/named-schema.ts";
import { Nullable, OneOf } from "../platform/http/wire.ts";
import { presentSubAccount, subAccountData, subAccountExample } from "./schemas.ts";
import type { VirtualAccount } from "./virtual-account.ts";
import type { Wallet } from "./wallet.ts";

const refusal = Type.Object({ code: Type.String(), message: Type.String() });

export const subAccountStateData = named(
  "SubAccountState",
  Type.Object(
    {
      ...subAccountData.properties,
      accountNumber: Nullable(
        Type.String({ pattern: "^[0-9]{10}$", description: "Payments to it arrive here. Null while there is none." }),
      ),
      bankName: Nullable(Type.String({ description: "The bank that a payer chooses for the account number." })),
      status: OneOf(["active", "opening", "refused"], {
        description: "opening: a provider was asked for the number. refused: it gave none, and will not.",
      }),
      refusal: Nullable({ ...refusal, description: "Why the provider refused." }),
    },
    { examples: [{ ...subAccountExample, status: "active", refusal: null }] },
  ),
);

export type SubAccountState = Static<typeof subAccountStateData>;

/** A live wallet that no provider gave a number, such as the main one, has none that could be paid to. */
export function presentState(wallet: Wallet, kind: EnvironmentKind, balance: Kobo): SubAccountState {
  const shown = presentSubAccount(wallet, balance);
  const hasNumber = kind === "SANDBOX" || wallet.provided !== null;
  const { accountNumber, bankName } = hasNumber ? shown : { accountNumber: null, bankName: null };
  return { ...shown, accountNumber, bankName, status: "active", refusal: null };
}

export function presentOpening(order: VirtualAccount): SubAccountState {
  const { id, accountName, externalId, createdAt, status, refusal: why } = order;
  return {
    id,
    accountName,
    accountNumber: null,
    bankName: null,
    balance: Number(zeroKobo),
    externalId,
    createdAt: createdAt.toISOString(),
    status: status === "refused" ? "refused" : "opening",
    refusal: why,
  };
}
