import type { ListDescription } from "../list/description.ts";
import { RecordList } from "../list/record-list.tsx";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
import { borrowerOf, type LoanRequest, loanStatuses } from "./loan.ts";

const loans: ListDescription<LoanRequest> = {
  name: "loans",
  path: "/loans",
  rowKey: ({ id }) => id,
  rowPath: ({ id }) => `/loans/${id}`,
  filters: [
    { kind: "choice", name: "status", label: "Status", options: loanStatuses },
    { kind: "day", name: "from", label: "From" },
    { kind: "day", name: "to", label: "To" },
  ],
  columns: [
    { title: "Borrower", cell: (loan) => <span className="font-medium">{borrowerOf(loan)}</span> },
    { title: "Amount", right: true, cell: ({ amount }) => <Money amount={amount} /> },
    { title: "Status", cell: ({ status }) => <StatusChip status={status} /> },
    { title: "Runs for", cell: ({ tenure, tenure_type }) => `${tenure} · ${tenure_type}` },
    {
      title: "Paid to",
      onPhone: false,
      cell: ({ account_number, bank_name }) => `${account_number} · ${bank_name ?? "no bank"}`,
    },
    { title: "Asked for", cell: ({ created_at }) => <Moment at={created_at} /> },
  ],
  csv: [
    ["id", ({ id }) => id],
    ["borrower", borrowerOf],
    ["status", ({ status }) => status],
    ["amount", ({ amount }) => Number(amount)],
    ["tenure", ({ tenure }) => tenure],
    ["tenure_type", ({ tenure_type }) => tenure_type],
    ["created_at", ({ created_at }) => created_at],
  ],
  empty: {
    title: "No loans yet",
    text: "Ask for a loan for one of your customers. A sandbox decides and pays it out within seconds:",
    command: "npx jara loans create",
  },
};

export function LoansPage() {
  return (
    <>
      <PageHead title="Loans" about="Loan requests, decisions and repayments." />
      <RecordList list={loans} />
    </>
  );
}
