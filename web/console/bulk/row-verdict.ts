/** What becomes of each row: paid, corrected first, agreed to first, or left out. */
import type { BankAnswer } from "./bank-names.ts";
import type { Mistake, PayoutRow } from "./payout-file.ts";

export type Verdict = "correct" | "confirm" | "out" | "asking" | "ready";

export interface JudgedRow {
  readonly row: PayoutRow;
  readonly answer: BankAnswer | undefined;
  readonly mistakes: readonly Mistake[];
  readonly doubts: readonly string[];
  readonly verdict: Verdict;
}

interface Said {
  readonly answer: BankAnswer | undefined;
  /** What the server says against it. */
  readonly refusal: string | undefined;
  /** Whether a person put it in or took it out; undefined while they said nothing. */
  readonly choice: boolean | undefined;
}

export function judge(row: PayoutRow, { answer, refusal, choice }: Said): JudgedRow {
  const bankRefusal = answer !== undefined && "refusal" in answer ? answer.refusal : undefined;
  const mistakes = [
    ...row.mistakes,
    ...[refusal, bankRefusal].flatMap((text) =>
      text === undefined ? [] : [{ field: "accountNumber" as const, text }],
    ),
  ];
  const isOther = answer !== undefined && "isOther" in answer && answer.isOther;
  const doubts = [
    ...row.doubts,
    ...(isOther && "name" in answer ? [`The file says ${row.name}. The bank says ${answer.name}.`] : []),
  ];
  return { row, answer, mistakes, doubts, verdict: verdictOf({ mistakes, doubts, answer, choice }) };
}

function verdictOf({
  mistakes,
  doubts,
  answer,
  choice,
}: Pick<JudgedRow, "mistakes" | "doubts" | "answer"> & Pick<Said, "choice">): Verdict {
  if (choice === false) return "out";
  if (mistakes.length > 0) return "correct";
  if (doubts.length > 0 && choice !== true) return "confirm";
  return answer === undefined ? "asking" : "ready";
}

/** Why a row is not paid, for the record of its batch. */
export function reasonOf({ mistakes, doubts, verdict }: JudgedRow): string {
  if (verdict === "out") return "Taken out by hand.";
  const texts = mistakes.length > 0 ? mistakes.map(({ text }) => text) : doubts;
  return (texts.join(" ") || "The bank was not asked.").slice(0, 300);
}

const order: readonly Verdict[] = ["correct", "confirm", "asking", "ready", "out"];

/** Mistakes first, then what a person must agree to; rows of one kind as they stand in the file. */
export function inOrder(rows: readonly JudgedRow[]): JudgedRow[] {
  return rows.toSorted((one, other) => order.indexOf(one.verdict) - order.indexOf(other.verdict));
}
