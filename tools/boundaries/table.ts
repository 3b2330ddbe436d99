/** A folder and what it may import besides itself. */
export type Rows = Readonly<Record<string, readonly string[]>>;

/**
 * Who may import whom. A row names a folder of server/src and the folders it may look into besides itself; what is
 * not listed is forbidden. ARCHITECTURE.md shows the same table to people, and a test compares the two.
 */
const base = ["money", "platform", "ledger", "merchants", "wallets"];

export const mayImport: Rows = {
  money: [],
  platform: ["money"],
  ledger: ["money", "platform"],
  rails: ["money", "platform"],
  merchants: ["money", "platform", "ledger"],
  auth: ["platform", "merchants"],
  wallets: ["money", "platform", "ledger", "merchants", "rails"],
  transfers: [...base, "rails"],
  bills: [...base, "rails"],
  approvals: [...base, "rails", "transfers"],
  lending: base,
  loans: [...base, "rails", "lending", "transfers"],
  checkout: [...base, "rails", "lending", "transfers"],
  webhooks: ["platform", "merchants"],
  console: ["platform", "merchants", "auth"],
  shop: ["platform"],
  production: ["platform"],
  demo: ["platform"],
  archives: ["platform"],
  traces: ["platform"],
  search: ["money", "platform"],
  requests: ["platform"],
  overview: ["money", "platform", "merchants"],
  reconciliation: ["money", "platform", "rails"],
  verification: ["platform", "merchants"],
  incidents: ["platform", "merchants"],
  queues: ["money", "platform", "incidents", "verification"],
  sandbox: ["money", "platform", "rails", "merchants"],
};

/**
 * The same inside a domain that has folders. A row with the domain's own name stands for the files directly in it, but
 * for its slice, which describes them all. The folders of a domain share its tables, so they may use the stores and
 * schemas of the folders they may import; routes and jobs are private to each.
 */
export const mayImportInside: Readonly<Record<string, Rows>> = {
  checkout: {
    pages: [],
    customers: [],
    credit: ["customers"],
    loans: ["customers", "credit"],
    consent: ["pages", "customers", "loans"],
    cards: ["pages", "customers", "loans"],
    onboarding: ["customers", "loans", "consent"],
    repayments: ["loans", "cards"],
    sessions: ["pages", "customers", "loans", "consent", "cards"],
    plans: ["pages", "customers", "loans", "consent", "cards", "sessions"],
    "card-page": ["pages", "cards", "sessions", "plans"],
    checkout: [
      "customers",
      "credit",
      "loans",
      "consent",
      "cards",
      "onboarding",
      "repayments",
      "sessions",
      "plans",
      "card-page",
    ],
  },
  lending: {
    pricing: [],
    position: ["pricing"],
    account: ["pricing", "position"],
    collect: ["pricing", "position", "account"],
    explain: ["pricing", "position", "account"],
    lender: ["pricing", "account"],
    lending: ["position", "account"],
  },
  transfers: {
    tariff: [],
    names: [],
    payouts: ["tariff", "names"],
    discovery: ["tariff", "names", "payouts"],
    batches: ["tariff", "payouts"],
    sending: ["tariff", "names", "payouts", "batches"],
    transfers: ["tariff", "names", "payouts", "batches"],
  },
  bills: {
    rate: [],
    catalogue: [],
    vending: ["rate", "catalogue"],
    discovery: ["catalogue", "vending"],
    bills: ["rate", "catalogue", "vending", "discovery"],
  },
  webhooks: {
    deliveries: [],
    endpoints: ["deliveries"],
    log: ["deliveries", "endpoints"],
    sending: ["deliveries", "endpoints"],
    webhooks: ["deliveries", "endpoints", "log", "sending"],
  },
  "platform/http": {
    "platform/http": [],
    request: ["platform/http"],
    guard: ["platform/http"],
    reply: ["platform/http"],
    openapi: ["platform/http", "reply"],
    server: ["platform/http", "request", "guard", "reply"],
  },
  rails: {
    rails: [],
    dojah: ["rails"],
    monnify: ["rails"],
    paystack: ["rails"],
    termii: ["rails"],
    vtpass: ["rails"],
    connections: ["rails", "dojah", "monnify", "paystack", "termii", "vtpass"],
  },
  sandbox: {
    sandbox: [],
    bank: ["sandbox"],
    biller: ["sandbox"],
    card: ["sandbox"],
    identity: ["sandbox"],
    message: ["sandbox"],
  },
};

/**
 * Files that only their own folder may import, by name: how a domain keeps its rows and how it speaks HTTP are its
 * own affair. The composition roots (main.ts, start/ and programs/) collect slices, each the description of its
 * folder; the HTTP platform itself; and what browsers load without a key: the demo shop and merchants' logos.
 */
export const privateFiles = String.raw`(^|/|-)(store|schemas|routes|slice)\.ts$|\.job\.ts$`;
export const collectedByRoots = String.raw`(^|/)slice\.ts$|/platform/http/|/shop/routes\.ts$|/profile-routes\.ts$`;
/** What the files directly in a domain collect from its folders. */
export const collectedInside = String.raw`(^|/|-)routes\.ts$|\.job\.ts$`;
