/** A batch as a person looks at it before it is paid: what it costs, what is wrong with it, what it would pay again. */
import { add, subtract, sum } from "../../money/arithmetic.ts";
import { nairaNumber } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { commonProblem } from "../../platform/problem.ts";
import { findHolders } from "../../platform/records/reference-claims.ts";
import { readBalance } from "../../wallets/read-wallets.ts";
import { findRepeated, payoutWord, presentRepeated, suggestReference } from "../payouts/hand-payment.ts";
import { payoutList } from "../payouts/transfer.ts";
import { chargeFor, type Tariffs, tariffAt, totalFee } from "../tariff/tariff.ts";
import { type JudgedItems, recipientOfPayable, rejectedItem } from "./batch-items.ts";

interface Reviewed {
  readonly judged: JudgedItems;
  /** Null for the main wallet. */
  readonly source: string | null;
  readonly tariffs: Tariffs;
  readonly personId: string;
}

export async function reviewBatch(tx: Tx, { judged, source, tariffs, personId }: Reviewed) {
  const used = await findHolders(
    tx,
    payoutList,
    judged.payable.map(({ reference }) => reference),
  );
  const payable = judged.payable.filter(({ reference }) => !used.has(reference));
  const taken = judged.payable.filter(({ reference }) => used.has(reference)).map(takenItem);
  const now = tx.environment.clock.now();
  const tariff = tariffAt(tariffs, now);
  const totalAmount = sum(payable.map(({ amount }) => amount));
  const fees = sum(payable.map(({ amount }) => totalFee(chargeFor(tariff, amount))));
  const totalDebit = add(totalAmount, fees);
  const { available } = await readBalance(tx, source ?? undefined);
  const earlier = await findRepeated(tx, { kind: "batch", reference: "", payouts: judged.payable });
  const repeated = presentRepeated(earlier, personId, now);
  const words = new Set(earlier.flatMap((payment) => payment.repeated));
  const indexes = judged.payable.filter((item) => words.has(payoutWord(item))).map(({ index }) => index);
  return {
    reference: await suggestReference(tx, judged.payable),
    payableCount: payable.length,
    totalAmount: nairaNumber(totalAmount),
    totalFee: nairaNumber(fees),
    totalDebit: nairaNumber(totalDebit),
    available: nairaNumber(available),
    availableAfter: nairaNumber(subtract(available, totalDebit)),
    rejected: [...judged.unpayable, ...taken].map(rejectedItem),
    repeated: repeated === null ? null : { ...repeated, indexes },
  };
}

function takenItem(item: JudgedItems["payable"][number]) {
  const { index, reference } = item;
  const message = "This reference was used before. Give the row another one.";
  return {
    index,
    reference,
    problem: commonProblem("reference_conflict", { message }),
    recipient: recipientOfPayable(item),
  };
}
