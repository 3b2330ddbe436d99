import type { Bill } from "@jara/sdk";
import { Allowed } from "../api/allowed.tsx";
import type { ListDescription } from "../list/description.ts";
import { RecordList } from "../list/record-list.tsx";
import { words } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
import { billCategories, billStatuses } from "./bill.ts";
import { BuyBill } from "./buy-bill.tsx";

const bills: ListDescription<Bill> = {
  name: "bills",
  path: "/bills",
  rowKey: ({ id }) => id,
  rowPath: ({ id }) => `/bills/${id}`,
  filters: [
    { kind: "text", name: "reference", label: "Reference" },
    { kind: "choice", name: "category", label: "Category", options: billCategories },
    { kind: "choice", name: "status", label: "Status", options: billStatuses },
    { kind: "day", name: "from", label: "From" },
    { kind: "day", name: "to", label: "To" },
  ],
  columns: [
    { title: "Reference", cell: ({ reference }) => <span className="font-medium">{reference}</span> },
    { title: "Amount", right: true, cell: ({ amount }) => <Money amount={amount} /> },
    { title: "Earned", right: true, cell: ({ commission }) => <Money amount={commission} /> },
    { title: "Status", cell: ({ status }) => <StatusChip status={status} /> },
    {
      title: "Product",
      cell: ({ product, category, customer }) => (
        <>
          {product.name}
          <span className="block text-xs text-soft">{`${words(category)} · ${customer.identifier}`}</span>
        </>
      ),
    },
    { title: "Created", cell: ({ createdAt }) => <Moment at={createdAt} /> },
  ],
  csv: [
    ["id", ({ id }) => id],
    ["reference", ({ reference }) => reference],
    ["status", ({ status }) => status],
    ["category", ({ category }) => category],
    ["product", ({ product }) => product.code],
    ["customer", ({ customer }) => customer.identifier],
    ["amount", ({ amount }) => amount],
    ["fee", ({ fee }) => fee],
    ["commission", ({ commission }) => commission],
    ["total_debited", ({ totalDebited }) => totalDebited],
    ["created_at", ({ createdAt }) => createdAt],
    ["completed_at", ({ completedAt }) => completedAt],
  ],
  empty: {
    title: "No bills yet",
    text: "Sell airtime, data, electricity, TV and betting top-ups, and earn a commission on each. The first one:",
    command: "npx jara bills airtime --network MTN --phone 08031234567 --amount 500",
  },
};

export function BillsPage() {
  return (
    <>
      <PageHead title="Bills" about="Airtime, data, electricity, TV and betting.">
        <Allowed change="bills">
          <BuyBill />
        </Allowed>
      </PageHead>
      <RecordList list={bills} />
    </>
  );
}
