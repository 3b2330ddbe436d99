/** One environment as its operator sees it: whose it is, its money, what waits in it, and its keys. */
import type { ReactNode } from "react";
import { IssueKey, KeyList } from "../developers/key-list.tsx";
import { Facts, Panel } from "../parts/facts.tsx";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { RecordView, useId } from "../parts/record-view.tsx";
import { StatusChip } from "../parts/status-chip.tsx";

interface Environment {
  readonly id: string;
  readonly merchantName: string;
  readonly kind: "LIVE" | "SANDBOX";
  readonly name: string;
  readonly createdAt: string;
  readonly clock: { readonly mode: "running" | "frozen"; readonly now: string };
  readonly overview: {
    readonly wallet: { readonly available: number; readonly held: number };
    readonly loans: {
      readonly outstanding: { readonly principal: number; readonly interest: number; readonly fees: number };
    };
    readonly webhooks: readonly Endpoint[];
    readonly attention: readonly { readonly kind: string; readonly title: string; readonly since: string | null }[];
  };
}

interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly failingSince: string | null;
  readonly waiting: number;
}

interface Lender {
  readonly available: number;
  readonly promised: number;
}

export function EnvironmentPage() {
  const id = useId();
  const keys = `/environments/${id}/keys`;
  return (
    <div className="grid gap-4">
      <PageHead title="Environment" about={<span className="font-mono text-xs break-all">{id}</span>}>
        <IssueKey path={keys} />
      </PageHead>
      <RecordView<Environment> path={`/environments/${id}`}>{(environment) => <Place {...environment} />}</RecordView>
      <KeyList path={keys} />
    </div>
  );
}

function Place({ id, merchantName, kind, name, createdAt, clock, overview }: Environment) {
  const { wallet, loans, webhooks, attention } = overview;
  const { principal, interest, fees } = loans.outstanding;
  return (
    <>
      <Panel
        title={`${merchantName} · ${name}`}
        aside={<StatusChip status={kind} tone={kind === "LIVE" ? "warn" : "quiet"} />}
      >
        <Facts
          facts={[
            ["Its time", <Moment key="now" at={clock.now} />],
            ["Clock", clock.mode === "frozen" ? "stands still until it is moved" : "runs"],
            ["Since", <Moment key="since" at={createdAt} />],
          ]}
        />
      </Panel>
      <Panel title="Balances">
        <Facts
          facts={[
            ["Main wallet", <Money key="wallet" amount={wallet.available} />],
            ["Held for payouts and bills", <Money key="held" amount={wallet.held} />],
            ["Borrowers owe: principal", <Money key="principal" amount={principal} />],
            ["Borrowers owe: interest", <Money key="interest" amount={interest} />],
            ["Borrowers owe: fees", <Money key="fees" amount={fees} />],
          ]}
        />
        <RecordView<Lender> path={`/environments/${id}/lender`}>
          {({ available, promised }) => (
            <Facts
              facts={[
                ["Lender's funds", <Money key="available" amount={available} />],
                ["Promised to borrowers", <Money key="promised" amount={promised} />],
              ]}
            />
          )}
        </RecordView>
      </Panel>
      <Rows title="Queued work" nothing="No unknown payments and no failing webhooks.">
        {attention.map(({ kind: about, title, since }) => (
          <Row key={`${about}/${title}`} text={title}>
            <Moment at={since} />
          </Row>
        ))}
      </Rows>
      <Rows title="Endpoints" nothing="No webhooks are sent from here: the merchant has registered no endpoint yet.">
        {webhooks.map((endpoint) => (
          <Row key={endpoint.id} text={endpoint.url}>
            {endpoint.waiting === 0 ? null : <span className="text-soft">{`${endpoint.waiting} wait`}</span>}
            <EndpointState {...endpoint} />
          </Row>
        ))}
      </Rows>
    </>
  );
}

function EndpointState({ enabled, failingSince }: Endpoint) {
  if (!enabled) return <StatusChip status="disabled" tone="quiet" />;
  return failingSince === null ? (
    <StatusChip status="healthy" tone="good" />
  ) : (
    <StatusChip status="failing" tone="bad" />
  );
}

interface RowsProps {
  readonly title: string;
  readonly nothing: string;
  readonly children: readonly ReactNode[];
}

function Rows({ title, nothing, children }: RowsProps) {
  return (
    <Panel title={title}>
      {children.length === 0 ? <p className="px-4 py-3 text-soft">{nothing}</p> : <ul>{children}</ul>}
    </Panel>
  );
}

function Row({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2 last:border-0">
      <span className="min-w-0 flex-1 basis-60 break-words">{text}</span>
      {children}
    </li>
  );
}
