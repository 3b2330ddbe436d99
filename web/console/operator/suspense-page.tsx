/** Money that came in for nobody: it waits until somebody knows whose it is. */
import type { ListDescription } from "../list/description.ts";
import { RecordList } from "../list/record-list.tsx";
import { ActionButton } from "../parts/action-button.tsx";
import { TextField } from "../parts/fields.tsx";
import { words } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { StatusChip, type Tone } from "../parts/status-chip.tsx";
import { OperatorAllowed } from "./operator-allowed.tsx";

interface Suspense {
  readonly id: string;
  readonly state: "open" | "assigned" | "foreign_currency";
  readonly reason: string;
  readonly provider: string;
  readonly amount: number;
  readonly currency: string;
  readonly accountNumber: string | null;
  readonly senderName: string | null;
  readonly paidAt: string;
}

const tones: Readonly<Record<Suspense["state"], Tone>> = { open: "warn", assigned: "good", foreign_currency: "bad" };

const suspense: ListDescription<Suspense> = {
  name: "suspense",
  path: "/suspense",
  rowKey: ({ id }) => id,
  filters: [{ kind: "choice", name: "state", label: "State", options: ["open", "assigned", "foreign_currency"] }],
  columns: [
    { title: "From", cell: ({ senderName }) => <span className="font-medium">{senderName ?? "not told"}</span> },
    {
      title: "Amount",
      right: true,
      cell: ({ amount, currency }) => (currency === "NGN" ? <Money amount={amount} /> : `${amount} ${currency}`),
    },
    { title: "State", cell: ({ state }) => <StatusChip status={state} tone={tones[state]} /> },
    { title: "Why", cell: ({ reason }) => words(reason) },
    { title: "Paid to", cell: ({ accountNumber }) => accountNumber },
    { title: "Provider", cell: ({ provider }) => words(provider) },
    { title: "Paid", cell: ({ paidAt }) => <Moment at={paidAt} /> },
    { title: "Whose it is", cell: (row) => <Assign row={row} /> },
  ],
  empty: {
    title: "Suspense is empty",
    text: "Money paid to an account number that belongs to no wallet appears here.",
  },
};

function Assign({ row: { id, state } }: { readonly row: Suspense }) {
  if (state !== "open") return null;
  return (
    <OperatorAllowed change="suspense">
      <ActionButton
        label="Assign"
        about="Puts the whole amount into a wallet, once. Never on a guess: ask for the payer's receipt."
        fields={
          <>
            <TextField label="Wallet's id" name="accountId" required />
            <TextField label="Reason" name="reason" required />
          </>
        }
        request={(form) => ({
          path: `/suspense/${id}/assign`,
          body: { accountId: form("accountId"), reason: form("reason") },
        })}
      />
    </OperatorAllowed>
  );
}

export function SuspensePage() {
  return (
    <>
      <PageHead title="Suspense" about="Incoming money that is not in any wallet yet." />
      <RecordList list={suspense} />
    </>
  );
}
