/** Loans for benchmarks: how one is asked for, and a year of one. */
import type { Api, Payer } from "./payers.ts";

/** A loan as an applicant asks for it, each a person of its own. */
export function applicationOf(number: number, tenor: { readonly tenure_type: string; readonly tenure: string }) {
  return {
    first_name: "Adaeze",
    last_name: "Okafor",
    phone: "+2348031234567",
    nin: "12345678901",
    bvn: `22${String(number).padStart(8, "0")}1`,
    amount: "50000",
    email: "adaeze@example.com",
    bank_code: "058",
    account_number: "0123456789",
    longitude: "3.3792",
    latitude: "6.5244",
    ...tenor,
  };
}

interface LoanDetails {
  readonly repayment_schedules: readonly {
    readonly installment_number: number;
    readonly due_date: string;
    readonly balance: number;
  }[];
  readonly balance: number;
}

/** Missed, and made good with the next. */
const missed = [3, 7];

/** Twelve months of a loan on a frozen clock: how many milliseconds its advances take. */
export async function playYear(api: Api, { key }: Payer, number: number): Promise<number> {
  const { id } = await api.post<{ id: string }>(
    "/loans/create",
    key,
    applicationOf(number, { tenure_type: "monthly", tenure: "12" }),
  );
  const read = async () => (await api.get<{ loan_details: LoanDetails }>(`/loans/${id}`, key)).loan_details;
  let playedMs = 0;
  const advance = async (by: object) => {
    const began = performance.now();
    await api.post("/sandbox/clock/advance", key, by);
    playedMs += performance.now() - began;
  };
  await advance({ seconds: 10 });
  for (const { installment_number: at, due_date } of (await read()).repayment_schedules) {
    await advance({ to: due_date });
    if (missed.includes(at)) continue;
    const amount = (await read()).repayment_schedules.slice(0, at).reduce((sum, { balance }) => sum + balance, 0);
    await api.post(`/loans/${id}/repayments`, key, { amount, reference: `${id} ${at}`, channel: "cash" });
  }
  const { balance } = await read();
  if (balance !== 0) throw new Error(`${balance} of the loan is left after its year`);
  return playedMs;
}
