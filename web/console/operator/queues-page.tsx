/** How much work waits, for how long, and who is there to do it. */
import type { ReactNode } from "react";
import { Panel } from "../parts/facts.tsx";
import { span, words } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { RecordView } from "../parts/record-view.tsx";
import { Empty } from "../parts/states.tsx";
import { StatusChip, type Tone } from "../parts/status-chip.tsx";

export interface Queue {
  readonly kind: string;
  readonly says: string;
  readonly environment: "LIVE" | "SANDBOX";
  readonly depth: number;
  readonly oldestSeconds: number;
  readonly misdated: number;
  readonly state: "ok" | "slow" | "stuck";
}

interface Process {
  readonly id: string;
  readonly role: "api" | "worker" | "all";
  readonly version: string;
  readonly host: string;
  readonly pid: number;
  readonly alive: boolean;
  readonly clockAheadSeconds: number;
  readonly startedAt: string;
  readonly heardAt: string;
}

export interface Processes {
  readonly processes: readonly Process[];
  readonly standbys: readonly {
    readonly name: string;
    readonly connected: boolean;
    readonly behindBytes: number;
    readonly behindSeconds: number | null;
  }[];
}

const tones: Readonly<Record<Queue["state"], Tone>> = { ok: "good", slow: "warn", stuck: "bad" };
const lookAgainMs = 5_000;
const roles = { api: "Server", worker: "Worker", all: "Server and worker" } as const;

export function QueuesPage() {
  return (
    <div className="grid gap-4">
      <PageHead title="Queues" about="Queued work, and the servers and workers that process it." />
      <RecordView<readonly Queue[]> path="/queues" again={() => lookAgainMs}>
        {(queues) => <Queues queues={queues} />}
      </RecordView>
      <RecordView<Processes> path="/processes" again={() => lookAgainMs}>
        {(all) => <Workers all={all} />}
      </RecordView>
    </div>
  );
}

function Queues({ queues }: { readonly queues: readonly Queue[] }) {
  return (["LIVE", "SANDBOX"] as const).map((environment) => (
    <Panel key={environment} title={environment === "LIVE" ? "Live" : "Sandboxes"}>
      <Rows>
        {queues
          .filter((queue) => queue.environment === environment)
          .map((queue) => (
            <Row key={queue.kind} title={words(queue.kind)} about={queue.says}>
              <Waiting queue={queue} />
              <StatusChip status={queue.state} tone={tones[queue.state]} />
            </Row>
          ))}
      </Rows>
    </Panel>
  ));
}

function Waiting({ queue: { depth, oldestSeconds, misdated } }: { readonly queue: Queue }) {
  if (depth + misdated === 0) return <span className="text-soft">nothing waits</span>;
  const parts = [
    ...(depth === 0 ? [] : [`${depth} · oldest ${span(oldestSeconds * 1_000)}`]),
    ...(misdated === 0 ? [] : [`${misdated} with a wrong date`]),
  ];
  return <span className="tabular-nums">{parts.join(" · ")}</span>;
}

function Workers({ all: { processes, standbys } }: { readonly all: Processes }) {
  return (
    <>
      <Panel title="Servers and workers">
        {processes.length === 0 ? (
          <Empty title="No servers or workers">No process has said that it lives.</Empty>
        ) : null}
        <Rows>
          {processes.map((one) => (
            <Row key={one.id} title={`${roles[one.role]} · ${one.version}`} about={`${one.host}, process ${one.pid}`}>
              <span className="text-soft">
                since <Moment at={one.startedAt} />
              </span>
              <StatusChip status={one.alive ? "alive" : "silent"} tone={one.alive ? "good" : "bad"} />
            </Row>
          ))}
        </Rows>
      </Panel>
      {standbys.length === 0 ? null : (
        <Panel title="Standbys of the database">
          <Rows>
            {standbys.map(({ name, connected, behindBytes, behindSeconds }) => (
              <Row
                key={name}
                title={name}
                about={behindSeconds === null ? "" : `${span(behindSeconds * 1_000)} behind`}
              >
                <span className="tabular-nums">{`${behindBytes} bytes behind`}</span>
                <StatusChip status={connected ? "connected" : "away"} tone={connected ? "good" : "bad"} />
              </Row>
            ))}
          </Rows>
        </Panel>
      )}
    </>
  );
}

function Rows({ children }: { readonly children: ReactNode }) {
  return <ul>{children}</ul>;
}

interface RowProps {
  readonly title: string;
  readonly about: string;
  readonly children: ReactNode;
}

function Row({ title, about, children }: RowProps) {
  return (
    <li
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-2
        last:border-0"
    >
      <div className="min-w-0">
        <p className="font-medium">{title}</p>
        <p className="text-xs text-soft">{about}</p>
      </div>
      <div className="flex w-full flex-wrap items-center justify-between gap-3 text-sm sm:w-auto">{children}</div>
    </li>
  );
}
