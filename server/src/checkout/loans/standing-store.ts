import { sql } from "kysely";
import { kobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { Standing, StandingQuestion } from "./standing.ts";

interface StandingRow {
  readonly open_loans: number;
  readonly overdue_loans: number;
  readonly written_off_loans: number;
  readonly exposure: bigint;
  readonly repaid_loans: number;
  readonly repaid_amount: bigint;
}

export async function readStanding(tx: Tx, question: StandingQuestion): Promise<Standing> {
  const { bvns, applicantBvns, nins, phone, cards } = question.marks;
  const { repaidPercent, daysOut } = question.counting;
  const found = await sql<StandingRow>`
    select open_loans, overdue_loans, written_off_loans, exposure, repaid_loans, repaid_amount
    from read_person_standing(${bvns}::bytea[], ${applicantBvns}::bytea[], ${nins}::bytea[], ${[phone]}::text[],
      ${cards}::bytea[], ${question.except ?? null}::uuid, ${repaidPercent}, ${daysOut})`.execute(tx);
  const [row] = found.rows;
  if (row === undefined) throw new Error("the sums of a lender are always one row");
  return {
    openLoans: row.open_loans,
    overdueLoans: row.overdue_loans,
    writtenOffLoans: row.written_off_loans,
    exposure: kobo(row.exposure),
    repaid: { completedLoans: row.repaid_loans, repaidAmount: kobo(row.repaid_amount) },
  };
}
