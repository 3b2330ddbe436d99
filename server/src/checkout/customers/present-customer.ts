import type { Tx } from "../../platform/database/database.ts";
import { maskPhone } from "../../platform/phone-number.ts";
import { type ContactChange, fieldsOf } from "./contact-change.ts";
import { readPendingChanges } from "./contact-change-store.ts";
import { type Customer, hasCardForLoans } from "./customer.ts";
import type { PresentedCustomer } from "./schemas.ts";

export async function presentCustomer(tx: Tx, customer: Customer): Promise<PresentedCustomer> {
  const [presented] = await presentCustomers(tx, [customer]);
  if (presented === undefined) throw new Error(`customer ${customer.id} was not presented`);
  return presented;
}

export async function presentCustomers(tx: Tx, customers: readonly Customer[]): Promise<PresentedCustomer[]> {
  const ids = customers.map(({ id }) => id);
  const changes = await readPendingChanges(tx, ids);
  return customers.map((customer) => present(customer, changes.get(customer.id)));
}

function present(customer: Customer, change: ContactChange | undefined): PresentedCustomer {
  return {
    id: customer.id,
    first_name: customer.firstName,
    last_name: customer.lastName,
    email: customer.email,
    phone: customer.phone,
    external_id: customer.externalId,
    kyc_status: customer.kycStatus,
    has_linked_card: hasCardForLoans(customer),
    pending_change: change === undefined ? null : presentChange(customer, change),
    created_at: customer.createdAt.toISOString(),
  };
}

function presentChange({ phone }: Customer, change: ContactChange): PresentedCustomer["pending_change"] {
  const { id, expiresAt } = change;
  return { id, fields: fieldsOf(change), destination: maskPhone(phone), expires_at: expiresAt.toISOString() };
}
