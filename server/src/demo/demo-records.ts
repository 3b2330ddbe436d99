/**
 * What the demo merchant does on its first day: each step finds what it made before, or makes it. References and
 * idempotency keys are fixed words, so a step that was cut off is played again and makes nothing twice.
 */
import type { Data, DemoCaller } from "./demo-call.ts";

type Step = (demo: DemoCaller) => Promise<unknown>;

/** The first and the last payout tell how far the demo merchant came. */
export const firstReference = "demo-rent";
export const lastReference = "demo-thank-you";

const payout = (reference: string, bankCode: string, accountNumber: string, amount: number, narration: string) => {
  const order = { reference, bankCode, accountNumber, amount, currency: "NGN", narration };
  return (demo: DemoCaller) => demo.post("/transfers", order);
};

const vend = (category: string, reference: string, order: Data) => (demo: DemoCaller) =>
  demo.post(`/bills/${category}/vend`, { reference, ...order });

const airtime = (reference: string, network: string, phoneNumber: string, amount: number): Step =>
  vend("airtime", reference, { network, phoneNumber, amount });

interface Someone {
  readonly first_name: string;
  readonly last_name: string;
  readonly phone: string;
  readonly email: string;
  readonly bvn: string;
}

const someone = (first_name: string, last_name: string, phone: string, bvn: string): Someone => {
  const email = `${first_name}.${last_name}@example.com`.toLowerCase();
  return { first_name, last_name, phone, email, bvn };
};

/** A loan has no reference: one of the same e-mail address is the one that was made before. */
async function borrow(demo: DemoCaller, applicant: Someone, amount: string, account_number: string): Promise<string> {
  const known = (await demo.list("/loans?limit=100")).find(({ daas_user }) => isOf(daas_user, applicant));
  if (known !== undefined) return String(known["id"]);
  const terms = { amount, tenure: "3", tenure_type: "monthly", bank_code: "058", account_number };
  const rest = { nin: `3${applicant.bvn.slice(1)}`, longitude: "3.3792", latitude: "6.5244" };
  const asked = await demo.post("/loans/create", { ...applicant, ...terms, ...rest }, `demo-loan-${account_number}`);
  return String(asked["id"]);
}

const isOf = (user: unknown, { email }: Someone): boolean => (user as Data | undefined)?.["email"] === email;

const statusOf = (demo: DemoCaller, id: string) => async () =>
  String(((await demo.get(`/loans/${id}`))["loan_request"] as Data)["status"]);

const repayLoan = (applicant: Someone, account: string, amount: number) => async (demo: DemoCaller) => {
  const id = await borrow(demo, applicant, "50000", account);
  const reference = `demo-repayment-${account}`;
  const paid = await demo.list(`/loans/${id}/repayments`);
  if (paid.some((payment) => payment["reference"] === reference)) return;
  await demo.until(statusOf(demo, id), "active");
  await demo.post(`/loans/${id}/repayments`, { amount, channel: "bank_transfer", reference });
};

const account = { bank_account_no: "0690000032", bank_code: "044" } as const;

async function onboard(demo: DemoCaller, person: Someone): Promise<string> {
  const known = (await demo.list("/loans/bnpl/customers?limit=100")).find((customer) => isOf(customer, person));
  if (known !== undefined) return String(known["id"]);
  const born = { date_of_birth: "1994-05-17" };
  return String((await demo.post("/loans/bnpl/customers", { ...person, ...born }))["id"]);
}

async function ask(demo: DemoCaller, customer: string, amount: number): Promise<Data> {
  const [open] = await demo.list(`/loans/bnpl/customers/${customer}/loans/active`);
  const loan = { amount, tenor: 3, ...account };
  return open ?? demo.post(`/loans/bnpl/customers/${customer}/loans`, loan, `demo-purchase-${amount}`);
}

/** Plan, code, card: as a customer does it on the shop's own pages. */
const purchase = (person: Someone, amount: number) => async (demo: DemoCaller) => {
  const customer = await onboard(demo, person);
  const { id, status } = await ask(demo, customer, amount);
  const loan = `/loans/bnpl/loans/${id}`;
  if (status !== "active") {
    await demo.postOrDone(`${loan}/consent/request`, {});
    await demo.postOrDone(`${loan}/consent/verify`, { otp: "123456" });
    const link = await demo.post(`/loans/bnpl/customers/${customer}/cards/link`, {}, `demo-card-${amount}`);
    await demo.postOrDone(`/sandbox/card-links/${link["link_id"]}/complete`, { outcome: "linked" });
    await demo.until(async () => String((await demo.get(loan))["status"]), "active");
  }
  const reference = `demo-instalment-${amount}`;
  await demo.post(`${loan}/repayments`, { amount: 5_000, channel: "bank_transfer", reference });
};

const session = (person: Someone, order: string, amount: number) => async (demo: DemoCaller) => {
  const pages = { success_url: "https://shop.example.com/thanks", cancel_url: "https://shop.example.com/basket" };
  const items = [{ name: "Standing fan", quantity: 1, amount }];
  const customer_id = await onboard(demo, person);
  const sold = { customer_id, amount, items, order_reference: order, ...account, ...pages };
  return String((await demo.post("/loans/bnpl/checkout-sessions", sold))["id"]);
};

const people = {
  ada: someone("Adaeze", "Okafor", "+2348030010001", "22100000011"),
  musa: someone("Musa", "Bello", "+2348030010002", "22100000021"),
  sade: someone("Sade", "Fashola", "+2348030010003", "22100000031"),
  uche: someone("Uche", "Eze", "+2348030010004", "22100010000"),
  kemi: someone("Kemi", "Balogun", "+2348030010005", "22100000051"),
  tunde: someone("Tunde", "Lawal", "+2348030010006", "22100000061"),
  halima: someone("Halima", "Sani", "+2348030010007", "22100000071"),
} as const;

const batch: Step = (demo) =>
  demo.post("/transfers/bulk", {
    batchReference: "demo-salaries",
    currency: "NGN",
    transfers: ["0123450001", "0123450002", "0123450003", "0123450004"].map((accountNumber, at) => ({
      accountNumber,
      bankCode: ["058", "044", "057", "033"][at],
      amount: 12_500 + at * 1_750.5,
      narration: "Salary",
      reference: `demo-salary-${at + 1}${at === 3 ? "_FAIL" : ""}`,
    })),
  });

const branch: Step = async (demo) => {
  const accountName = "Ikeja branch";
  const { id, accountNumber } = await demo.post("/wallets/sub-accounts", { accountName, externalId: "demo-branch" });
  const takings = { accountNumber, amount: 84_300, senderName: "Bisi Adeyemi" };
  await demo.post("/sandbox/wallets/credit", takings, "demo-takings");
  const { accountId: main } = await demo.get("/wallets/balance");
  await demo.post("/wallets/transfers", { from: id, to: main, amount: 60_000, reference: "demo-to-main" });
};

const tv: Step = async (demo) => {
  const [offer] = await demo.list("/bills/tv/list?provider=DSTV");
  const card = { provider: "DSTV", smartCardNumber: "7023456789" };
  await demo.post("/bills/tv/validate", card);
  const order = { ...card, packageCode: offer?.["packageCode"], subscriptionType: "change" };
  await vend("tv", "demo-decoder", { ...order, phoneNumber: "08030010003" })(demo);
};

const data: Step = async (demo) => {
  const [plan] = await demo.list("/bills/data/list?network=AIRTEL");
  const order = { network: "AIRTEL", phoneNumber: "08020010004", planCode: plan?.["planCode"] };
  await vend("data", "demo-data", order)(demo);
};

const electricity: Step = async (demo) => {
  const [provider] = await demo.list("/bills/electricity/list");
  const meter = { provider: provider?.["code"], meterNumber: "45012345678", meterType: "prepaid" };
  await vend("electricity", "demo-meter", { ...meter, amount: 7_500, phoneNumber: "08030010001" })(demo);
};

const cancelledLoan: Step = async (demo) => {
  const id = await borrow(demo, people.sade, "30000", "0123460003");
  await demo.postOrDone(`/loans/${id}/cancel`, {});
};

const refusedLoan: Step = (demo) => borrow(demo, people.uche, "20000", "0123460004");

const openPurchase: Step = async (demo) => ask(demo, await onboard(demo, people.tunde), 25_000);

const cancelledSession: Step = async (demo) => {
  const id = await session(people.tunde, "demo-order-2", 14_200)(demo);
  await demo.postOrDone(`/loans/bnpl/checkout-sessions/${id}/cancel`, {});
};

/** The day begins with it, and so does the history before. */
export const begin: Step = payout(firstReference, "044", "0690000032", 45_000, "Rent for the stall");

/** In the order of a day; the first and the last are the marks. */
export const steps: Readonly<Record<string, Step>> = {
  rent: begin,
  funds: (demo) => demo.post("/sandbox/wallets/fund", { amount: 350_000 }, "demo-funds"),
  branch,
  supplier: payout("demo-supplier", "058", "0123450010", 28_750.5, "Rice and beans"),
  rider: payout("demo-rider", "057", "0123450011", 3_200, "Delivery to Yaba"),
  closedAccount: payout("demo-refund_FAIL", "033", "0123450012", 6_400, "Refund of order 118"),
  returned: payout("demo-deposit_REVERSE", "011", "0123450013", 15_000, "Deposit back"),
  batch,
  airtime: airtime("demo-airtime", "MTN", "08030010002", 1_500),
  data,
  electricity,
  tv,
  refusedAirtime: airtime("demo-airtime_FAIL", "GLO", "08050010003", 800),
  waitingAirtime: airtime("demo-airtime_PENDING", "MTN", "08030010005", 2_000),
  refusedLoan,
  cancelledLoan,
  openPurchase,
  openSession: session(people.halima, "demo-order-1", 18_500),
  cancelledSession,
  loan: repayLoan(people.ada, "0123460001", 18_666.67),
  repaidLoan: repayLoan(people.musa, "0123460002", 56_000),
  purchase: purchase(people.kemi, 40_000),
  waiting: payout("demo-printer_PENDING", "044", "0123450014", 9_900, "Paper for the printer"),
  last: payout(lastReference, "058", "0123450015", 5_000, "Thank you"),
};
