import type { Customer } from "./customer.ts";
import type { PresentedCustomer } from "./schemas.ts";

export function presentCustomer(customer: Customer): PresentedCustomer {
  return {
    id: customer.id,
    first_name: customer.firstName,
    last_name: customer.lastName,
    email: customer.email,
    phone: customer.phone,
    external_id: customer.externalId,
    kyc_status: customer.kycStatus,
    has_linked_card: customer.defaultCardId !== null,
    created_at: customer.createdAt.toISOString(),
  };
}
