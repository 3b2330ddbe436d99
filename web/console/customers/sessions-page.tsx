import type { ListDescription } from "../list/description.ts";
import { RecordList } from "../list/record-list.tsx";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
import { type CheckoutSession, sessionStatuses } from "./session.ts";

const sessions: ListDescription<CheckoutSession> = {
  name: "checkout-sessions",
  path: "/loans/bnpl/checkout-sessions",
  rowKey: ({ id }) => id,
  rowPath: ({ id }) => `/checkout/${id}`,
  filters: [
    { kind: "choice", name: "status", label: "Status", options: sessionStatuses },
    { kind: "day", name: "from", label: "From" },
    { kind: "day", name: "to", label: "To" },
  ],
  columns: [
    { title: "Order", cell: ({ order_reference }) => <span className="font-medium">{order_reference}</span> },
    { title: "Amount", right: true, cell: ({ amount }) => <Money amount={amount} /> },
    { title: "Status", cell: ({ status }) => <StatusChip status={status} /> },
    { title: "Loan", onPhone: false, cell: ({ loan_id }) => (loan_id === null ? "Not chosen yet" : "Chosen") },
    { title: "Opened", cell: ({ created_at }) => <Moment at={created_at} /> },
    { title: "Ends", onPhone: false, cell: ({ expires_at }) => <Moment at={expires_at} /> },
  ],
  csv: [
    ["id", ({ id }) => id],
    ["order_reference", ({ order_reference }) => order_reference],
    ["status", ({ status }) => status],
    ["amount", ({ amount }) => amount],
    ["customer_id", ({ customer_id }) => customer_id],
    ["loan_id", ({ loan_id }) => loan_id],
    ["created_at", ({ created_at }) => created_at],
    ["expires_at", ({ expires_at }) => expires_at],
  ],
  empty: {
    title: "No checkouts yet",
    text: "Your server opens a session for an order and sends the customer to its address, where they buy on credit. One to try:",
    command: "npx jara trigger checkout.session.completed",
  },
};

export function SessionsPage() {
  return (
    <>
      <PageHead title="Checkout" about="Orders that customers pay for on credit, on hosted pages." />
      <RecordList list={sessions} />
    </>
  );
}
