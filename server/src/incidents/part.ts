/** The parts of the house that merchants know, as /status names them: rails, work, and the rest. */
export const railParts = {
  bank: "Payouts to banks",
  biller: "Bills and airtime",
  card: "Card payments",
  inbound: "Money coming in",
  message: "Messages to customers",
  identity: "Identity checks",
} as const;

export const workParts = {
  transfers: "Sending payouts",
  bills: "Sending bills",
  agenda: "Following up on payments",
  jobs: "Work in the background",
  events: "Recording events",
  deliveries: "Delivering webhooks",
  hints: "News from providers",
  messages: "Sending messages",
} as const;

export const partNames = {
  ...railParts,
  ...workParts,
  api: "API",
  console: "Console and pages",
  books: "Bookkeeping",
} as const;

export type Part = keyof typeof partNames;
