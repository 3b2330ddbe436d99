import type { ListDescription } from "../list/description.ts";
import { RecordList } from "../list/record-list.tsx";
import { Moment } from "../parts/moment.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
import { type Customer, nameOf } from "./customer.ts";

const customers: ListDescription<Customer> = {
  name: "customers",
  path: "/loans/bnpl/customers",
  rowKey: ({ id }) => id,
  rowPath: ({ id }) => `/customers/${id}`,
  filters: [],
  columns: [
    { title: "Name", cell: (customer) => <span className="font-medium">{nameOf(customer)}</span> },
    { title: "Identity", cell: ({ kyc_status }) => <StatusChip status={kyc_status} /> },
    { title: "Phone", cell: ({ phone }) => phone },
    { title: "E-mail", cell: ({ email }) => email },
    { title: "Card", cell: ({ has_linked_card }) => (has_linked_card ? "Linked" : "None") },
    { title: "Since", cell: ({ created_at }) => <Moment at={created_at} /> },
  ],
  empty: {
    title: "No customers yet",
    text: "A customer buys on credit at your checkout. The first one:",
    command:
      "npx jara customers create --first-name Ada --last-name Obi --phone 08031234567 --email ada@example.com --bvn 22123456789",
  },
};

export function CustomersPage() {
  return (
    <>
      <PageHead title="Customers" about="People who buy on credit at your checkout." />
      <RecordList list={customers} />
    </>
  );
}
