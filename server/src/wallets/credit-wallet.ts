/** Money that enters a wallet from outside: funding of a sandbox, a payment to the virtual account, an operator. */
import { post } from "../ledger/post.ts";
import { readNewestLine, type StatementLine } from "../ledger/statement.ts";
import type { Kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import { isUuid } from "../platform/database/ids.ts";
import { recordEvents } from "../platform/records/outbox.ts";
import { walletProblem } from "./errors.ts";
import { type Movement, movementResource, postingOf } from "./movement.ts";
import { insertMovements } from "./movement-store.ts";
import { presentLine } from "./statement-line.ts";
import { mainWalletId, type Wallet } from "./wallet.ts";
import { findWallet, findWalletByNumber } from "./wallet-store.ts";

/** The sandbox's way to have money; the main wallet's unless another is named. */
export async function fundWallet(
  tx: Tx,
  { accountId, amount }: { readonly accountId?: string | undefined; readonly amount: Kobo },
): Promise<StatementLine> {
  const wallet = await requireWallet(tx, accountId ?? mainWalletId(tx.environment.id));
  return credit(tx, { ...newMovement(tx), kind: "funding", to: wallet.id, amount });
}

export interface InboundCredit {
  readonly accountNumber: string;
  readonly amount: Kobo;
  readonly senderName: string;
}

/** Somebody paid into a sandbox's virtual account. */
export async function receiveCredit(tx: Tx, { accountNumber, amount, senderName }: InboundCredit) {
  const wallet = await findWalletByNumber(tx, accountNumber);
  if (wallet === undefined) throw walletProblem("wallet_not_found");
  return credit(tx, { ...newMovement(tx), kind: "inbound_credit", to: wallet.id, amount, senderName });
}

/** Books a credit and announces it with the line that the statement now shows. */
export async function credit(
  tx: Tx,
  movement: Movement & { readonly to: string },
  counterpart?: string,
): Promise<StatementLine> {
  const line = await bookMovement(tx, movement, movement.to, counterpart);
  const data = presentLine(line);
  await recordEvents(tx, [
    { event: "wallet.credited", resourceType: movementResource, resourceId: movement.id, resourceVersion: 1, data },
  ]);
  return line;
}

/** Books a movement and returns the line on the statement of `accountId`. Throws insufficient_funds. */
export async function bookMovement(
  tx: Tx,
  movement: Movement,
  accountId: string,
  counterpart?: string,
): Promise<StatementLine> {
  await post(tx, postingOf(tx.environment.id, movement, counterpart));
  await insertMovements(tx, [movement]);
  const line = await readNewestLine(tx, accountId);
  if (line === undefined) throw new Error(`movement ${movement.id} is on no statement`);
  return line;
}

export async function requireWallet(tx: Tx, id: string): Promise<Wallet> {
  const wallet = isUuid(id) ? await findWallet(tx, id) : undefined;
  if (wallet === undefined) throw walletProblem("wallet_not_found");
  return wallet;
}

/** A movement of this moment without its particulars. */
export function newMovement(tx: Tx): Omit<Movement, "kind" | "amount" | "to"> {
  const { clock } = tx.environment;
  return { id: clock.newId(), reference: null, from: null, senderName: null, reason: null, createdAt: clock.now() };
}
