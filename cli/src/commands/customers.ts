import type { Customer } from "@jara/sdk";
import { fillIn } from "../ask.ts";
import type { Given } from "../command.ts";
import type { Screen } from "../screen.ts";
import { moment, status } from "../words.ts";
import { type PersonOptions, personQuestions } from "./person-questions.ts";
import { readSome } from "./read-list.ts";

interface NewCustomerOptions extends PersonOptions {
  readonly nin?: string;
  readonly birthday?: string;
  readonly externalId?: string;
}

export async function createCustomer(given: Given, options: NewCustomerOptions): Promise<void> {
  const { customers } = given.connect().jara.loans.bnpl;
  const { said } = await fillIn(given, options, personQuestions);
  const { nin, birthday: dateOfBirth, externalId } = options;
  showCustomer(given.screen, await customers.create({ ...said, nin, dateOfBirth, externalId }));
}

export async function list({ screen, connect }: Given, { limit }: { readonly limit: number }): Promise<void> {
  const found = await readSome(connect().jara.loans.bnpl.customers.list(), limit);
  const rows = found.map((one) => [
    moment(one.createdAt),
    `${one.firstName} ${one.lastName}`,
    one.phone,
    status(screen, one.kycStatus),
    one.hasLinkedCard ? "yes" : "no",
    one.id,
  ]);
  const head = ["SINCE", "NAME", "PHONE", "IDENTITY", "CARD", "ID"];
  screen.records(found, { head, rows }, "No customers yet. Bring one: jara customers create");
}

export async function show({ screen, connect }: Given, _options: object, id = ""): Promise<void> {
  const { bnpl } = connect().jara.loans;
  const [customer, loans] = await Promise.all([bnpl.customers.get(id), bnpl.loans.listActive(id)]);
  if (screen.isJson) return screen.line(JSON.stringify({ ...customer, activeLoans: loans }, null, 2));
  showCustomer(screen, customer, loans.length);
}

function showCustomer(screen: Screen, customer: Customer, loansOut?: number): void {
  screen.record(customer, [
    ["name", `${customer.firstName} ${customer.lastName}`],
    ["phone", customer.phone],
    ["e-mail", customer.email],
    ["identity", status(screen, customer.kycStatus)],
    ["card", customer.hasLinkedCard ? "linked" : "none"],
    ["loans out", loansOut === undefined ? "" : String(loansOut)],
    ["yours", customer.externalId ?? ""],
    ["id", customer.id],
  ]);
}
