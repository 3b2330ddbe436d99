/** The records behind the examples of the reference, made by the flows that an integrator would use. */

/** Sends a request to the API as the demo merchant and returns its data; throws with the code of a refusal. */
export type TrialCall = (
  method: "GET" | "POST",
  path: string,
  body?: Readonly<Record<string, unknown>>,
  idempotencyKey?: string,
) => Promise<Record<string, unknown>>;

const names = [
  "loan",
  "customer",
  "checkoutLoan",
  "session",
  "cardLink",
  "card",
  "transfer",
  "batch",
  "bill",
  "subAccount",
  "accountNumber",
  "mainWallet",
  "endpoint",
  "event",
] as const;

/** What could be made; an example without its record keeps the id that the document has. */
export type TrialRecords = Partial<Record<(typeof names)[number], string>>;

export const trialReferences = { transfer: "docs-payout_PENDING", bill: "docs-airtime_PENDING" } as const;

const account = { bank_account_no: "0690000032", bank_code: "044" } as const;
const person = {
  first_name: "Ada",
  last_name: "Obi",
  email: "ada@example.com",
  phone: "08031234567",
  bvn: "22212345678",
  nin: "12345678901",
  date_of_birth: "1994-05-17",
} as const;

type Made = Record<string, string>;
type Step = (call: TrialCall, made: Made) => Promise<TrialRecords>;

/** A step that is refused leaves its examples as they were, and so do the steps that need its records. */
export async function playTrial(
  call: TrialCall,
  onRefusal: (step: string, refusal: string) => void,
): Promise<TrialRecords> {
  const made: Made = {};
  for (const [name, step] of Object.entries(steps)) {
    try {
      Object.assign(made, await step(call, made));
    } catch (error) {
      onRefusal(name, error instanceof Error ? error.message : String(error));
    }
  }
  return made;
}

const steps: Readonly<Record<string, Step>> = {
  wallet: async (call) => idAs("mainWallet", await call("GET", "/wallets/balance"), "accountId"),
  subAccount: async (call) => {
    const opened = await call("POST", "/wallets/sub-accounts", { accountName: "Docs", externalId: "docs-account" });
    return { ...idAs("subAccount", opened), ...idAs("accountNumber", opened, "accountNumber") };
  },
  transfer: async (call) =>
    idAs(
      "transfer",
      await call("POST", "/transfers", {
        accountNumber: "0690000032",
        bankCode: "044",
        amount: 100,
        currency: "NGN",
        reference: trialReferences.transfer,
      }),
    ),
  batch: async (call) => {
    const item = { accountNumber: "0690000032", bankCode: "044", amount: 100, reference: "docs-item" };
    const batch = { batchReference: "docs-batch", currency: "NGN", transfers: [item] };
    const sent = await call("POST", "/transfers/bulk", batch);
    return idAs("batch", sent, "batchId");
  },
  bill: async (call) =>
    idAs(
      "bill",
      await call("POST", "/bills/airtime/vend", {
        network: "MTN",
        phoneNumber: "08031234567",
        amount: 100,
        reference: trialReferences.bill,
      }),
    ),
  validations: async (call) => {
    await call("POST", "/bills/tv/validate", { provider: "dstv", smartCardNumber: "7023456789" });
    await call("POST", "/bills/betting/validate", { provider: "bet9ja", customerId: "1234567" });
    return {};
  },
  loan: async (call) => {
    const { bvn, nin, email, phone, first_name, last_name } = person;
    const applicant = { bvn, nin, email, phone, first_name, last_name, latitude: "6.5244", longitude: "3.3792" };
    const terms = {
      amount: "50000",
      tenure: "4",
      tenure_type: "weekly",
      bank_code: "044",
      account_number: "0690000032",
    };
    const asked = await firstOf(call, "/loans", () =>
      call("POST", "/loans/create", { ...applicant, ...terms }, "docs-loan"),
    );
    return idAs("loan", (asked["loan_request"] as Record<string, unknown> | undefined) ?? asked);
  },
  customer: async (call) => idAs("customer", await call("POST", "/loans/bnpl/customers", person)),
  card: async (call, { customer }) => {
    const cards = `/loans/bnpl/customers/${customer}/cards`;
    const link = await call("POST", `${cards}/link`, {}, "docs-card-link");
    const linkId = String(link["link_id"]);
    await call("POST", `/sandbox/card-links/${linkId}/complete`, { outcome: "linked" }, "docs-card");
    return { cardLink: linkId, ...idAs("card", await firstOf(call, cards, () => Promise.resolve({}))) };
  },
  checkoutLoan: async (call, { customer }) => {
    const loan = { amount: 50000, tenor: 3, ...account };
    const active = `/loans/bnpl/customers/${customer}/loans/active`;
    const ask = () => call("POST", `/loans/bnpl/customers/${customer}/loans`, loan, "docs-checkout-loan");
    return idAs("checkoutLoan", await firstOf(call, active, ask));
  },
  session: async (call, { customer }) =>
    idAs(
      "session",
      await call("POST", "/loans/bnpl/checkout-sessions", {
        customer_id: customer,
        amount: 60000,
        order_reference: "docs-order",
        ...account,
        success_url: "https://shop.example.com/thanks",
        cancel_url: "https://shop.example.com/basket",
      }),
    ),
  endpoint: async (call) => {
    const quiet = { url: "https://shop.example.com/jara", events: ["webhook.test"], enabled: false };
    const make = () => call("POST", "/webhooks/endpoints", quiet, "docs-endpoint");
    return idAs("endpoint", await firstOf(call, "/webhooks/endpoints", make));
  },
  event: async (call) => idAs("event", await firstOf(call, "/events", () => Promise.resolve({}))),
};

async function firstOf(
  call: TrialCall,
  list: string,
  otherwise: () => Promise<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const [first] = (await call("GET", list)) as unknown as Record<string, unknown>[];
  return first ?? otherwise();
}

function idAs(name: (typeof names)[number], record: Record<string, unknown>, field = "id"): TrialRecords {
  const id = record[field];
  if (typeof id !== "string") throw new Error(`there is no ${field} yet`);
  return { [name]: id };
}
