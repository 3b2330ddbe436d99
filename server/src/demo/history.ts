/**
 * Sixty days of business before today, so that charts and lists show what they are for: takings of a branch, payouts
 * to suppliers and riders, wages on Fridays, bills, and a few loans of which one falls overdue. The flows are the real
 * ones. The sandbox begins on a frozen clock sixty days ago; each day is played and the clock advanced, until it runs
 * again. References carry their date, so a day that was cut off is played again and pays nothing twice.
 */
import { lagosDate, startOfLagosDay } from "../platform/time/lagos-date.ts";
import type { DemoCaller } from "./demo-call.ts";

const usualDays = 60;
const hourMs = 3_600_000;
const openingHour = 8;
const seedStart = "demo since ";

/** The clock that a demo sandbox is opened with. Its seed says when history began, and that it is not over. */
export function historyClock(today: Date, days = usualDays) {
  const first = lagosDate(today).subtract({ days });
  const now = new Date(startOfLagosDay(first).getTime() + openingHour * hourMs);
  return { mode: "frozen", now, seed: `${seedStart}${first}` } as const;
}

const suppliers = [
  { bankCode: "058", accountNumber: "0123450010", narration: "Rice and beans", amount: 28_750 },
  { bankCode: "044", accountNumber: "0690000032", narration: "Rent for the stall", amount: 45_000 },
  { bankCode: "011", accountNumber: "0123450016", narration: "Cooking gas", amount: 17_400 },
  { bankCode: "033", accountNumber: "0123450017", narration: "Vegetables from Mile 12", amount: 21_300 },
  { bankCode: "057", accountNumber: "0123450018", narration: "Chicken and fish", amount: 33_900 },
] as const;

const riders = ["0123450011", "0123450019", "0123450020"] as const;
const staff = ["0123450001", "0123450002", "0123450003", "0123450004", "0123450005"] as const;

const borrower = (first_name: string, last_name: string, digit: number) => ({
  first_name,
  last_name,
  phone: `+234803002000${digit}`,
  email: `${first_name}.${last_name}@example.com`.toLowerCase(),
  bvn: `2210000${digit}200`,
  nin: `3210000${digit}200`,
  longitude: "3.3792",
  latitude: "6.5244",
  bank_code: "058",
  account_number: `012346010${digit}`,
  tenure: "2",
  tenure_type: "monthly",
});

/** Who borrows on which day, and on which days pays back the whole of an instalment. The third never pays. */
const loans = [
  { day: 2, who: borrower("Ngozi", "Umeh", 1), amount: "60000", paysOn: [30, 58] },
  { day: 9, who: borrower("Bashir", "Garba", 2), amount: "45000", paysOn: [38] },
  { day: 18, who: borrower("Folake", "Ajayi", 3), amount: "30000", paysOn: [] },
  { day: 41, who: borrower("Emeka", "Nwosu", 4), amount: "80000", paysOn: [] },
] as const;

interface Day {
  /** Counted from the first, which is 0. */
  readonly at: number;
  /** 2026-09-21, in Lagos. */
  readonly date: string;
  /** 1 is Monday. */
  readonly weekday: number;
}

/** Plays day after day until the clock has caught up, then lets it run. Stops where somebody else sets the clock. */
export async function playHistory(
  demo: DemoCaller,
  begin: (demo: DemoCaller) => Promise<unknown>,
  onDay: (date: string) => void = () => undefined,
): Promise<"played" | "not ours"> {
  for (;;) {
    const clock = await demo.get("/sandbox/clock");
    const seed = String(clock["seed"]);
    if (clock["mode"] !== "frozen" || !seed.startsWith(seedStart)) return "not ours";
    await begin(demo);
    const now = new Date(String(clock["now"]));
    const next = new Date(now.getTime() + 24 * hourMs);
    const day = dayOf(seed.slice(seedStart.length), now);
    onDay(day.date);
    await playDay(demo, day);
    if (next.getTime() >= Date.now()) break;
    await demo.post("/sandbox/clock/advance", { to: next.toISOString() });
  }
  await demo.post("/sandbox/clock/advance", { to: new Date().toISOString() });
  await demo.put("/sandbox/clock", { mode: "running" });
  return "played";
}

function dayOf(first: string, now: Date): Day {
  const date = lagosDate(now);
  return { at: Temporal.PlainDate.from(first).until(date).days, date: date.toString(), weekday: date.dayOfWeek };
}

async function playDay(demo: DemoCaller, day: Day): Promise<void> {
  const { at, date } = day;
  await takeIn(demo, day);
  const orders = [
    ...payoutsOf(day).map((order) => demo.post("/transfers", order)),
    ...(day.weekday === 5 ? [demo.post("/transfers/bulk", wagesOf(date))] : []),
    ...billsOf(day).map(([category, order]) => demo.post(`/bills/${category}/vend`, order)),
  ];
  await Promise.all(orders);
  for (const { day: asked, who, amount, paysOn } of loans) {
    if (asked === at) await demo.post("/loans/create", { ...who, amount }, `demo-loan-${who.email}`);
    if (paysOn.some((pays) => pays === at)) await repay(demo, who.email, date);
  }
}

/** What the branch took yesterday arrives, and most of it is moved to the main wallet. Weekends are better. */
async function takeIn(demo: DemoCaller, { at, date, weekday }: Day): Promise<void> {
  const branch = { accountName: "Ikeja branch", externalId: "demo-branch" };
  const { id, accountNumber } = await demo.post("/wallets/sub-accounts", branch);
  const amount = 62_000 + ((at * 7_919) % 23) * 1_450 + (weekday >= 5 ? 38_000 : 0);
  await demo.post("/sandbox/wallets/credit", { accountNumber, amount, senderName: "Bisi Adeyemi" }, `demo-${date}`);
  const { accountId: main } = await demo.get("/wallets/balance");
  const moved = Math.floor(amount * 0.9);
  await demo.post("/wallets/transfers", { from: id, to: main, amount: moved, reference: `demo-${date}-takings` });
}

/** Two to four a day; a few are refused by the bank, and one in forty comes back. */
function payoutsOf({ at, date, weekday }: Day) {
  const count = weekday === 7 ? 1 : 2 + (at % 3);
  return Array.from({ length: count }, (_, place) => {
    const turn = at * 3 + place;
    const supplier = suppliers[turn % suppliers.length] ?? suppliers[0];
    const rider = { bankCode: "057", accountNumber: riders[turn % riders.length], narration: "Delivery to Yaba" };
    const { amount = 3_200, ...order } = place % 2 === 0 ? supplier : { ...rider, amount: 2_400 + (turn % 9) * 250 };
    const fate = turn % 40 === 17 ? "_REVERSE" : turn % 23 === 11 ? "_FAIL" : "";
    const reference = `demo-${date}-${place + 1}${fate}`;
    return { ...order, currency: "NGN", amount: amount + (turn % 11) * 350.5, reference };
  });
}

const wagesOf = (date: string) => ({
  batchReference: `demo-wages-${date}`,
  currency: "NGN",
  transfers: staff.map((accountNumber, place) => ({
    accountNumber,
    bankCode: ["058", "044", "057", "033", "011"][place],
    amount: 9_500 + place * 1_250,
    narration: "Wages",
    reference: `demo-wages-${date}-${place + 1}`,
  })),
});

function billsOf({ at, date }: Day): (readonly [category: string, order: Readonly<Record<string, unknown>>])[] {
  const reference = (name: string) => `demo-${date}-${name}`;
  const airtime = {
    network: at % 4 === 0 ? "MTN" : "AIRTEL",
    phoneNumber: "08030010002",
    amount: 500 + (at % 5) * 200,
  };
  return at % 2 === 0 ? [["airtime", { ...airtime, reference: reference("airtime") }]] : [];
}

/** Pays the next instalment of somebody's loan, which the lender's rules may have refused. */
async function repay(demo: DemoCaller, email: string, date: string): Promise<void> {
  const known = await demo.list("/loans?limit=100");
  const loan = known.find(({ daas_user }) => (daas_user as { email?: string } | undefined)?.email === email);
  if (loan === undefined || !["active", "overdue"].includes(String(loan["status"]))) return;
  const amount = Math.ceil(Number(loan["amount"]) * 0.55);
  const reference = `demo-repayment-${email}-${date}`;
  await demo.post(`/loans/${loan["id"]}/repayments`, { amount, channel: "bank_transfer", reference });
}
