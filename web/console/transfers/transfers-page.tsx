import type { Transfer } from "@jara/sdk";
import { Allowed } from "../api/allowed.tsx";
import type { ListDescription } from "../list/description.ts";
import { RecordList } from "../list/record-list.tsx";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
import { MakePayout } from "./make-payout.tsx";
import { transferStatuses } from "./transfer.ts";

const transfers: ListDescription<Transfer> = {
  name: "transfers",
  path: "/transfers",
  rowKey: ({ id }) => id,
  rowPath: ({ id }) => `/transfers/${id}`,
  filters: [
    { kind: "text", name: "reference", label: "Reference" },
    { kind: "choices", name: "status", label: "Status", options: transferStatuses },
    { kind: "bank", name: "bankCode", label: "Bank" },
    { kind: "amount", name: "minAmount", label: "At least" },
    { kind: "amount", name: "maxAmount", label: "At most" },
    { kind: "day", name: "from", label: "From" },
    { kind: "day", name: "to", label: "To" },
  ],
  columns: [
    { title: "Reference", cell: ({ reference }) => <span className="font-medium">{reference}</span> },
    { title: "Amount", right: true, cell: ({ amount }) => <Money amount={amount} /> },
    { title: "Status", cell: ({ status }) => <StatusChip status={status} /> },
    {
      title: "To",
      cell: ({ accountName, accountNumber, bankName }) => (
        <>
          {accountName ?? "Name not known yet"}
          <span className="block text-xs text-soft">{`${accountNumber} · ${bankName}`}</span>
        </>
      ),
    },
    { title: "Created", cell: ({ createdAt }) => <Moment at={createdAt} /> },
  ],
  csv: [
    ["id", ({ id }) => id],
    ["reference", ({ reference }) => reference],
    ["status", ({ status }) => status],
    ["amount", ({ amount }) => amount],
    ["fee", ({ fee }) => fee],
    ["vat", ({ vat }) => vat],
    ["stamp_duty", ({ stampDuty }) => stampDuty],
    ["total_debit", ({ totalDebit }) => totalDebit],
    ["account_number", ({ accountNumber }) => accountNumber],
    ["account_name", ({ accountName }) => accountName],
    ["bank", ({ bankName }) => bankName],
    ["narration", ({ narration }) => narration],
    ["failure", ({ failureReason }) => failureReason?.message],
    ["created_at", ({ createdAt }) => createdAt],
    ["completed_at", ({ completedAt }) => completedAt],
  ],
  empty: {
    title: "No payouts yet",
    text: "A payout sends money from your wallet to a bank account. This line makes the first one:",
    command: "npx jara pay --bank 058 --account 0123456789 --amount 2500 --yes",
  },
};

export function TransfersPage() {
  return (
    <>
      <PageHead title="Transfers" about="Payouts from your wallet to bank accounts.">
        <Allowed change="transfers">
          <MakePayout />
        </Allowed>
      </PageHead>
      <RecordList list={transfers} />
    </>
  );
}
