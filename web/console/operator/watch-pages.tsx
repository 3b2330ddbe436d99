/** What operators watch: connections and their float, payments whose outcome is not known, reconciliation, the audit. */
import type { ListDescription } from "../list/description.ts";
import { RecordList } from "../list/record-list.tsx";
import { span, words } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
import { paymentPath } from "./payment-path.ts";

interface Connection {
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  readonly mode: string;
  readonly ports: readonly string[];
  readonly state: string;
  readonly hold: { readonly message: string; readonly advice: string } | null;
  readonly float: { readonly available: number; readonly readAt: string } | null;
  readonly health: { readonly state: string; readonly calls: number; readonly unanswered: number };
}

const connections: ListDescription<Connection> = {
  name: "connections",
  path: "/connections",
  rowKey: ({ id }) => id,
  rowPath: ({ id }) => `/connections/${id}`,
  filters: [],
  columns: [
    { title: "Connection", cell: ({ name }) => <span className="font-medium">{name}</span> },
    { title: "Provider", cell: ({ provider, mode }) => `${words(provider)} · ${mode}` },
    { title: "State", cell: ({ state, hold }) => <StatusChip status={hold === null ? state : "held"} /> },
    { title: "Health", cell: ({ health }) => <StatusChip status={health.state === "ok" ? "healthy" : "degraded"} /> },
    { title: "Float", right: true, cell: ({ float }) => <Money amount={float?.available ?? null} /> },
    { title: "Serves", cell: ({ ports }) => ports.join(", ") },
    { title: "What to do", cell: ({ hold }) => hold?.advice },
  ],
  empty: {
    title: "No provider is connected",
    text: "Sandboxes need none. To pay for real, connect a provider: the guide Going live walks through it.",
  },
};

interface RegulatorsClock {
  readonly name: string;
  readonly seconds: number;
  readonly over: boolean;
}

/** The clock that the payment is past, or the next one that it runs against. */
function Clock({ clocks }: { readonly clocks: readonly RegulatorsClock[] }) {
  const past = clocks.findLast(({ over }) => over);
  const next = past ?? clocks.find(({ over }) => !over);
  if (next === undefined) return null;
  const says = `${next.name} within ${span(next.seconds * 1_000)}`;
  return <StatusChip status={says} tone={next.over ? "bad" : "quiet"} />;
}

interface Unknown {
  readonly type: string;
  readonly id: string;
  readonly environment: string;
  readonly reference: string;
  readonly amount: number;
  readonly queries: number;
  readonly sentAt: string;
  readonly ageSeconds: number;
  readonly clocks: readonly RegulatorsClock[];
  readonly rail: { readonly provider: string } | null;
}

const unknowns: ListDescription<Unknown> = {
  name: "unknown-payments",
  path: "/unknowns",
  rowKey: ({ id }) => id,
  rowPath: paymentPath,
  filters: [],
  columns: [
    { title: "Reference", cell: ({ reference }) => <span className="font-medium">{reference}</span> },
    { title: "Amount", right: true, cell: ({ amount }) => <Money amount={amount} /> },
    { title: "Age", right: true, cell: ({ ageSeconds }) => span(ageSeconds * 1_000) },
    { title: "Clock", cell: ({ clocks }) => <Clock clocks={clocks} /> },
    { title: "Kind", cell: ({ type, environment }) => `${words(type)} · ${environment}` },
    { title: "With", cell: ({ rail }) => words(rail?.provider ?? "simulated") },
    { title: "Asked", right: true, cell: ({ queries }) => `${queries} times` },
    { title: "Sent", cell: ({ sentAt }) => <Moment at={sentAt} /> },
  ],
  csv: [
    ["type", ({ type }) => type],
    ["id", ({ id }) => id],
    ["reference", ({ reference }) => reference],
    ["amount", ({ amount }) => amount],
    ["age_seconds", ({ ageSeconds }) => ageSeconds],
    ["sent_at", ({ sentAt }) => sentAt],
  ],
  empty: {
    title: "No unknown payments",
    text: "A payment appears here until its provider confirms the outcome.",
  },
};

interface Run {
  readonly id: string;
  readonly connectionId: string;
  readonly date: string;
  readonly state: string;
  readonly requestedBy: string;
  readonly counts: { readonly orders: number; readonly agreed: number; readonly exceptions: number } | null;
  readonly failure: { readonly message: string } | string | null;
  readonly completedAt: string | null;
}

const runs: ListDescription<Run> = {
  name: "reconciliations",
  path: "/reconciliations",
  rowKey: ({ id }) => id,
  rowPath: ({ id }) => `/reconciliation/${id}`,
  filters: [
    { kind: "choice", name: "state", label: "State", options: ["running", "clean", "exceptions", "failed"] },
    { kind: "day", name: "date", label: "Day" },
  ],
  columns: [
    { title: "Day", cell: ({ date }) => <span className="font-medium">{date}</span> },
    { title: "State", cell: ({ state }) => <StatusChip status={state} tone={stateTone(state)} /> },
    { title: "Orders", right: true, cell: ({ counts }) => counts?.orders },
    { title: "Agreed", right: true, cell: ({ counts }) => counts?.agreed },
    { title: "Exceptions", right: true, cell: ({ counts }) => counts?.exceptions },
    { title: "Asked by", cell: ({ requestedBy }) => requestedBy },
    { title: "Ended", cell: ({ completedAt }) => <Moment at={completedAt} /> },
  ],
  empty: {
    title: "No reconciliation yet",
    text: "Once a provider is connected, Jara compares orders, ledger and the provider's list every day.",
  },
};

function stateTone(state: string) {
  if (state === "clean") return "good";
  return state === "running" ? "busy" : state === "exceptions" ? "warn" : "bad";
}

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly address: string;
}

const audit: ListDescription<Entry> = {
  name: "audit",
  path: "/audit",
  rowKey: ({ id }) => id,
  filters: [],
  columns: [
    { title: "What", cell: ({ action }) => <span className="font-medium">{action}</span> },
    { title: "Who", cell: ({ actor }) => actor },
    { title: "To", cell: ({ subjectType, subjectId }) => `${words(subjectType)} ${subjectId}` },
    { title: "From", cell: ({ address }) => <span className="font-mono text-xs">{address}</span> },
    { title: "When", cell: ({ at }) => <Moment at={at} /> },
  ],
  csv: [
    ["at", ({ at }) => at],
    ["actor", ({ actor }) => actor],
    ["action", ({ action }) => action],
    ["subject_type", ({ subjectType }) => subjectType],
    ["subject_id", ({ subjectId }) => subjectId],
    ["address", ({ address }) => address],
  ],
  empty: {
    title: "No changes yet",
    text: "Each change that an operator or a merchant's person makes is kept here.",
  },
};

export function ConnectionsPage() {
  return (
    <>
      <PageHead title="Connections" about="Providers, their state and the float held with them." />
      <RecordList list={connections} />
    </>
  );
}

export function UnknownsPage() {
  return (
    <>
      <PageHead
        title="Unknown payments"
        about="Payments that were sent and have no definite outcome yet, oldest first. Never pay one again."
      />
      <RecordList list={unknowns} />
    </>
  );
}

export function ReconciliationPage() {
  return (
    <>
      <PageHead title="Reconciliation" about="Daily comparison of orders, ledger and providers' lists." />
      <RecordList list={runs} />
    </>
  );
}

export function AuditPage() {
  return (
    <>
      <PageHead title="Audit" about="Changes by operators and merchants' people." />
      <RecordList list={audit} />
    </>
  );
}
