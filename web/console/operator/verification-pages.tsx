/** Are the books right: what came of each verification, and what contradicts. */
import type { ListDescription } from "../list/description.ts";
import { RecordList } from "../list/record-list.tsx";
import { ActionButton } from "../parts/action-button.tsx";
import { Facts, Panel } from "../parts/facts.tsx";
import { Moment } from "../parts/moment.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { RecordView, useId } from "../parts/record-view.tsx";
import { Empty } from "../parts/states.tsx";
import { StatusChip, type Tone } from "../parts/status-chip.tsx";
import { OperatorAllowed } from "./operator-allowed.tsx";

export interface Verification {
  readonly id: string;
  readonly state: "running" | "clean" | "contradictions" | "failed";
  readonly requestedBy: string;
  readonly environments: number;
  readonly checks: number;
  readonly contradictions: number;
  readonly failure: string | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

interface Contradiction {
  readonly environmentId: string | null;
  readonly check: string;
  readonly subject: string;
  readonly expected: string;
  readonly found: string;
}

type WithFound = Verification & { readonly found: readonly Contradiction[] };

const tones: Readonly<Record<Verification["state"], Tone>> = {
  running: "busy",
  clean: "good",
  contradictions: "bad",
  failed: "warn",
};

const verifications: ListDescription<Verification> = {
  name: "verifications",
  path: "/verifications",
  rowKey: ({ id }) => id,
  rowPath: ({ id }) => `/verifications/${id}`,
  filters: [
    { kind: "choice", name: "state", label: "State", options: ["running", "clean", "contradictions", "failed"] },
  ],
  columns: [
    { title: "Asked for", cell: ({ createdAt }) => <Moment at={createdAt} /> },
    { title: "State", cell: ({ state }) => <StatusChip status={state} tone={tones[state]} /> },
    { title: "Environments", right: true, cell: ({ environments }) => environments },
    { title: "Checks", right: true, cell: ({ checks }) => checks },
    { title: "Differences", right: true, cell: ({ contradictions }) => contradictions },
    { title: "By", cell: ({ requestedBy }) => requestedBy },
    { title: "Ended", cell: ({ endedAt }) => <Moment at={endedAt} /> },
  ],
  empty: {
    title: "No verification yet",
    text: "A worker verifies the ledgers every night from 03:00 (Lagos). To verify now, use the button above.",
  },
};

export function VerificationsPage() {
  return (
    <>
      <PageHead title="Verifications" about="Ledger balances of every environment, recomputed from their entries.">
        <OperatorAllowed change="verifications">
          <ActionButton
            label="Verify now"
            look="primary"
            about="A worker recomputes every ledger. It only reads, and takes several minutes on a large database."
            request={() => ({ path: "/verifications" })}
          />
        </OperatorAllowed>
      </PageHead>
      <RecordList list={verifications} />
    </>
  );
}

export function VerificationPage() {
  const id = useId();
  return (
    <RecordView<WithFound>
      path={`/verifications/${id}`}
      again={(run) => (run === undefined || run.state === "running" ? 2_000 : false)}
    >
      {(run) => (
        <div className="grid gap-4">
          <PageHead title="Verification" about={<StatusChip status={run.state} tone={tones[run.state]} />} />
          <Panel title="What was done">
            <Facts
              facts={[
                ["Environments", run.environments],
                ["Checks", run.checks],
                ["Differences", run.contradictions],
                ["Asked for by", run.requestedBy],
                ["Began", <Moment key="began" at={run.startedAt} />],
                ["Ended", <Moment key="ended" at={run.endedAt} />],
                ...(run.failure === null ? [] : [["Why it failed", run.failure] as const]),
              ]}
            />
          </Panel>
          <Panel title="Differences">
            <Found run={run} />
          </Panel>
        </div>
      )}
    </RecordView>
  );
}

function Found({ run }: { readonly run: WithFound }) {
  if (run.found.length === 0) {
    if (run.state === "clean")
      return <Empty title="No differences found">Every figure follows from its entries.</Empty>;
    if (run.state === "failed")
      return <Empty title="Not known">Verify again: the list of verifications does it.</Empty>;
    return <Empty title="No result yet">This fills when the verification has ended.</Empty>;
  }
  return (
    <ul>
      {run.found.map(({ environmentId, check, subject, expected, found }) => (
        <li
          key={`${environmentId}/${check}/${subject}`}
          className="grid gap-1 border-b border-line px-4 py-3 last:border-0"
        >
          <p className="font-medium">{check}</p>
          <p>
            It must be <strong>{expected}</strong> and is <strong className="text-danger">{found}</strong>.
          </p>
          <p className="font-mono text-xs break-all text-soft">
            {`${subject} · ${environmentId ?? "the operator's own books"}`}
          </p>
        </li>
      ))}
    </ul>
  );
}
