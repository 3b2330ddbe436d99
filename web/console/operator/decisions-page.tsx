/** What waits for an operator's word, of all environments, and the buttons that give it. */
import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { meQuery } from "../api/me.ts";
import { useRoom } from "../api/place.ts";
import type { ListDescription } from "../list/description.ts";
import { RecordList } from "../list/record-list.tsx";
import { ActionButton } from "../parts/action-button.tsx";
import { TextField } from "../parts/fields.tsx";
import { span } from "../parts/figures.ts";
import { Money } from "../parts/money.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
import { answersTo, type Decision, kinds, mayDecide } from "./decision.ts";

const decisions: ListDescription<Decision> = {
  name: "decisions",
  path: "/decisions",
  rowKey: ({ kind, id, environmentId }) => `${kind}/${environmentId}/${id}`,
  filters: [
    { kind: "choice", name: "environment", label: "Environment", options: ["LIVE", "SANDBOX"] },
    { kind: "choice", name: "kind", label: "About", options: Object.keys(kinds) },
  ],
  columns: [
    { title: "Customer", lead: true, cell: (row) => <Whom row={row} /> },
    { title: "About", cell: ({ kind, detail }) => [kinds[kind], detail].filter(Boolean).join(" · ") },
    { title: "Amount", right: true, cell: ({ amount }) => <Money amount={amount} /> },
    { title: "Merchant", cell: (row) => <Place row={row} /> },
    { title: "Waiting", right: true, cell: ({ ageSeconds }) => span(ageSeconds * 1_000) },
    { title: "Decide", cell: (row) => <Answers row={row} /> },
  ],
  csv: [
    ["kind", ({ kind }) => kind],
    ["id", ({ id }) => id],
    ["name", ({ name }) => name],
    ["merchant", ({ merchant }) => merchant.name],
    ["environment", ({ environment }) => environment],
    ["amount", ({ amount }) => amount ?? ""],
    ["since", ({ since }) => since],
  ],
  empty: {
    title: "No decisions waiting",
    text: "Live loans that need approval, loan payouts that failed five times, contact details that a customer cannot confirm and identities that no register confirmed appear here. Sandboxes decide automatically.",
  },
};

/** A loan's story can be read as a trace; a customer has none. */
function Whom({ row: { id, kind, name } }: { readonly row: Decision }) {
  const { at } = useRoom();
  if (kind === "contact_change" || kind === "identity") return <span className="font-medium">{name}</span>;
  return (
    <Link to={at(`/trace/${id}`)} className="font-medium text-brand underline underline-offset-4">
      {name}
    </Link>
  );
}

function Place({ row: { merchant, environment, environmentId } }: { readonly row: Decision }) {
  const { at } = useRoom();
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Link to={at(`/environments/${environmentId}`)} className="text-brand underline underline-offset-4">
        {merchant.name}
      </Link>
      <StatusChip status={environment} tone={environment === "LIVE" ? "warn" : "quiet"} />
    </span>
  );
}

function Answers({ row }: { readonly row: Decision }) {
  const { data: me } = useSuspenseQuery(meQuery);
  if (!mayDecide(me.operator?.role, row)) return <span className="text-soft">an admin decides</span>;
  return (
    <span className="flex flex-wrap gap-2">
      {answersTo(row).map(({ label, about, path, body, isNo }) => (
        <ActionButton
          key={label}
          label={label}
          look={isNo ? "danger" : "plain"}
          about={about}
          fields={<TextField label="Reason" name="reason" required maxLength={2_000} />}
          request={(form) => ({ path, body: { ...body, reason: form("reason") } })}
        />
      ))}
    </span>
  );
}

export function DecisionsPage() {
  return (
    <>
      <PageHead
        title="Decisions"
        about="Decisions that need a person, live ones first, then the oldest. Your reason is kept in the audit trail."
      />
      <RecordList list={decisions} />
    </>
  );
}
