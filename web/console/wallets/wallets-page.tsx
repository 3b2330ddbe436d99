import type { Wallet, WalletTransaction } from "@jara/sdk";
import type { ListDescription } from "../list/description.ts";
import { RecordList } from "../list/record-list.tsx";
import { Panel } from "../parts/facts.tsx";
import { words } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { RecordView } from "../parts/record-view.tsx";
import { SubAccounts } from "./sub-accounts.tsx";

const statement: ListDescription<WalletTransaction> = {
  name: "statement",
  path: "/wallets/transactions",
  rowKey: ({ id }) => id,
  rowPath: ({ id }) => `/trace/${id}`,
  filters: [
    { kind: "text", name: "accountId", label: "Wallet (id)" },
    { kind: "day", name: "from", label: "From" },
    { kind: "day", name: "to", label: "To" },
  ],
  columns: [
    { title: "What", cell: ({ type }) => <span className="font-medium">{words(type)}</span> },
    { title: "Amount", right: true, cell: ({ amount, direction }) => <Money amount={amount} direction={direction} /> },
    { title: "Balance after", right: true, cell: ({ balanceAfter }) => <Money amount={balanceAfter} /> },
    { title: "Reference", cell: ({ resource }) => resource.reference ?? resource.id },
    { title: "Narration", cell: ({ narration }) => narration },
    { title: "When", cell: ({ createdAt }) => <Moment at={createdAt} /> },
  ],
  csv: [
    ["id", ({ id }) => id],
    ["type", ({ type }) => type],
    ["direction", ({ direction }) => direction],
    ["amount", ({ amount }) => amount],
    ["balance_after", ({ balanceAfter }) => balanceAfter],
    ["reference", ({ resource }) => resource.reference],
    ["narration", ({ narration }) => narration],
    ["created_at", ({ createdAt }) => createdAt],
  ],
  empty: {
    title: "The statement is empty",
    text: "Every movement of the wallet has a line here. In a sandbox, fund it on the Sandbox page, or send:",
    command: 'curl "$BASE/sandbox/wallets/fund" -H "Authorization: Bearer $KEY" -d \'{"amount":50000}\'',
  },
};

export function WalletsPage() {
  return (
    <>
      <PageHead title="Wallets" about="Balances and every movement." />
      <div className="mb-4 grid gap-4 lg:grid-cols-[20rem_1fr]">
        <RecordView<Wallet> path="/wallets/balance">{(wallet) => <Balance wallet={wallet} />}</RecordView>
        <SubAccounts />
      </div>
      <RecordList list={statement} />
    </>
  );
}

export function Balance({ wallet }: { readonly wallet: Wallet }) {
  return (
    <Panel title="Main wallet">
      <div className="p-4">
        <p className="text-xs text-soft">Available</p>
        <p className="text-2xl font-semibold tracking-tight">
          <Money amount={wallet.available} />
        </p>
        <p className="mt-2 text-soft">
          <Money amount={wallet.held} /> on hold
        </p>
      </div>
    </Panel>
  );
}
