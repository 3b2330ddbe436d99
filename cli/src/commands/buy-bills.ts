/** Airtime, data, electricity, TV and betting: by options, and at a terminal question by question. */
import type { Bill } from "@jara/sdk";
import { type Choice, fillIn, type Question, requireYes, shape } from "../ask.ts";
import type { Given } from "../command.ts";
import type { Connection } from "../connection.ts";
import { money } from "../words.ts";
import { amountQuestion } from "./bank-questions.ts";
import { showBill } from "./bills.ts";
import { placeOrder } from "./place-order.ts";

type Bills = Connection["jara"]["bills"];

/** Beside the answers: which wallet pays, and the merchant's own reference. */
interface Order {
  readonly reference: string;
  readonly sourceAccountId?: string;
}

interface Kind<Name extends string> {
  questions(bills: Bills): readonly Question<Name>[];
  /** Whose number it is, where the biller tells; some billers want to be asked before they sell. */
  findCustomer?(bills: Bills, said: Readonly<Record<Name, string>>): Promise<string>;
  vend(bills: Bills, said: Readonly<Record<Name, string>>, order: Order): Promise<Bill>;
}

interface BuyOptions {
  readonly reference?: string;
  readonly from?: string;
}

function buying<Name extends string>(word: string, { questions, findCustomer, vend }: Kind<Name>) {
  return async (given: Given, options: BuyOptions & Readonly<Partial<Record<Name, string>>>): Promise<void> => {
    const { screen } = given;
    const { bills } = given.connect().jara;
    const { said, wasAsked } = await fillIn<Name>(given, options, questions(bills));
    const customer = await findCustomer?.(bills, said);
    if (customer !== undefined) screen.remark(customer);
    if (wasAsked) await requireYes(given, `Buy ${word}: ${told(said)}?`);
    const { reference, from } = options;
    await placeOrder(given, {
      group: "bills",
      kind: word.toLowerCase(),
      reference,
      send: (own) => vend(bills, said, { reference: own, ...(from === undefined ? {} : { sourceAccountId: from }) }),
      waitUntilFinal: (id) => bills.waitUntilFinal(id, { signal: given.stopped }),
      show: (bill) => showBill(screen, bill),
    });
  };
}

/** Everything that was said, so that a slip is seen before it is paid for. */
function told(said: Readonly<Record<string, string>>): string {
  return Object.entries(said)
    .map(([name, value]) => (name === "amount" ? `NGN ${money(value)}` : value))
    .join(", ");
}

const phone: Question<"phone"> = { name: "phone", message: "Phone number", check: shape("phone") };

const named = (all: readonly { readonly code: string; readonly name: string }[]): Choice[] =>
  all.map(({ code, name }) => ({ value: code, label: name, hint: code }));

const networkOf = (bills: Bills): Question<"network"> => ({
  name: "network",
  message: "Network",
  choices: async () => named(await bills.listNetworks()),
});

export const buyAirtime = buying("airtime", {
  questions: (bills) => [networkOf(bills), phone, amountQuestion],
  vend: (bills, { network, phone: phoneNumber, amount }, order) =>
    bills.airtime.vend({ network, phoneNumber, amount, ...order }),
});

export const buyData = buying<"network" | "phone" | "plan">("data", {
  questions: (bills) => [
    networkOf(bills),
    phone,
    {
      name: "plan",
      message: "Plan",
      choices: async ({ network }) => {
        const plans = await bills.data.listPlans({ network });
        return plans.map(({ planCode, name, amount }) => ({
          value: planCode,
          label: name,
          hint: `NGN ${money(amount)}`,
        }));
      },
    },
  ],
  vend: (bills, { network, phone: phoneNumber, plan: planCode }, order) =>
    bills.data.vend({ network, phoneNumber, planCode, ...order }),
});

type MeterType = "prepaid" | "postpaid";

export const buyElectricity = buying("electricity", {
  questions: (bills) => [
    {
      name: "provider",
      message: "Company",
      choices: async () => named(await bills.electricity.listProviders()),
    },
    { name: "meter", message: "Meter number", check: shape("some") },
    { name: "type", message: "Meter", choices: async () => ["prepaid", "postpaid"].map(same) },
    amountQuestion,
    phone,
  ],
  findCustomer: async (bills, { provider, meter: meterNumber, type }) => {
    const found = await bills.electricity.validate({ provider, meterNumber, meterType: type as MeterType });
    return found.address === null ? found.customerName : `${found.customerName}, ${found.address}`;
  },
  vend: (bills, { provider, meter: meterNumber, type, amount, phone: phoneNumber }, order) =>
    bills.electricity.vend({ provider, meterNumber, meterType: type as MeterType, amount, phoneNumber, ...order }),
});

const same = (word: string): Choice => ({ value: word, label: word });

export const buyTv = buying<"provider" | "card" | "package" | "phone">("TV", {
  questions: (bills) => [
    {
      name: "provider",
      message: "Provider",
      choices: async () => [...new Set((await bills.tv.listPackages()).map(({ provider }) => provider))].map(same),
    },
    { name: "card", message: "Smart card", check: shape("some") },
    {
      name: "package",
      message: "Package",
      choices: async ({ provider }) => {
        const packages = await bills.tv.listPackages({ provider });
        const offered = packages.map(({ packageCode, name, amount }) => ({
          value: packageCode,
          label: name,
          hint: `NGN ${money(amount)}`,
        }));
        return [{ value: "renew", label: "The one that the card has" }, ...offered];
      },
    },
    phone,
  ],
  findCustomer: async (bills, { provider, card }) => {
    const { customerName, currentPackage } = await bills.tv.validate({ provider, smartCardNumber: card });
    return currentPackage === null ? customerName : `${customerName}, has ${currentPackage}`;
  },
  vend: (bills, { provider, card: smartCardNumber, package: packageCode, phone: phoneNumber }, order) => {
    const subscription = { provider, smartCardNumber, phoneNumber, ...order };
    return packageCode === "renew"
      ? bills.tv.vend({ ...subscription, subscriptionType: "renew" })
      : bills.tv.vend({ ...subscription, subscriptionType: "change", packageCode });
  },
});

export const buyBetting = buying("betting", {
  questions: (bills) => [
    { name: "provider", message: "Bookmaker", choices: async () => named(await bills.betting.listProviders()) },
    { name: "customer", message: "Customer's number there", check: shape("some") },
    amountQuestion,
  ],
  findCustomer: async (bills, { provider, customer: customerId }) =>
    (await bills.betting.validate({ provider, customerId })).customerName,
  vend: (bills, { provider, customer: customerId, amount }, order) =>
    bills.betting.vend({ provider, customerId, amount, ...order }),
});
