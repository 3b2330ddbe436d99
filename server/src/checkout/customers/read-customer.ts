import type { Tx } from "../../platform/database/database.ts";
import { isUuid } from "../../platform/database/ids.ts";
import { type PageMeta, type PageRequest, pageMetaOf, readPage } from "../../platform/records/pagination.ts";
import { type Customer, customerList } from "./customer.ts";
import { findCustomer, findCustomerEnvironment, readCustomers } from "./customer-store.ts";
import { customerProblem } from "./errors.ts";

/** Throws checkout_customer_not_found, also for what is another merchant's. */
export async function requireCustomer(tx: Tx, id: string, options = { lock: false }): Promise<Customer> {
  const customer = isUuid(id) ? await findCustomer(tx, id, options) : undefined;
  if (customer === undefined) throw customerProblem("checkout_customer_not_found");
  return customer;
}

/** Where an operator finds the customer. Throws checkout_customer_not_found. */
export async function requireCustomerEnvironment(tx: Tx, id: string): Promise<string> {
  const environmentId = await findCustomerEnvironment(tx, id);
  if (environmentId === undefined) throw customerProblem("checkout_customer_not_found");
  return environmentId;
}

export async function listCustomers(tx: Tx, page: PageRequest): Promise<{ rows: readonly Customer[]; meta: PageMeta }> {
  const read = await readPage(tx, customerList, page, (range) => readCustomers(tx, range));
  return { rows: read.rows, meta: pageMetaOf(read.total, page.page, page.limit) };
}
