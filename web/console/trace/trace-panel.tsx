/** Where is my money, and why: request, checks, states, postings, rail, events and deliveries on one line of time. */
import type { Trace, TraceStep } from "@jara/sdk";
import { Link } from "@tanstack/react-router";
import {
  ArrowRightLeft,
  Flag,
  Gavel,
  Inbox,
  Landmark,
  type LucideIcon,
  Megaphone,
  Send,
  ShieldCheck,
} from "lucide-react";
import { useState } from "react";
import { entryOf } from "../../shared/entry-of.ts";
import { useRoom } from "../api/place.ts";
import { useRecord } from "../api/queries.ts";
import { Button } from "../parts/button.tsx";
import { Panel } from "../parts/facts.tsx";
import { counted, lagosDay, lagosTime, span, utcMoment, words } from "../parts/figures.ts";
import { Money } from "../parts/money.tsx";
import { Failure, Skeleton } from "../parts/states.tsx";
import { factsOf, legsOf, linksOf, stepsInBrief, type TimedStep, timeLine } from "./time-line.ts";

const signs: Readonly<Record<TraceStep["kind"], LucideIcon>> = {
  request: Inbox,
  decision: Gavel,
  check: ShieldCheck,
  rail: Landmark,
  state: Flag,
  posting: ArrowRightLeft,
  event: Megaphone,
  delivery: Send,
};

interface TracePanelProps {
  readonly id: string;
  /** While the record is still moving, how often to look again. */
  readonly againMs?: number | false;
  /** On a page that is about the trace alone, everything is shown at once. */
  readonly isWhole?: boolean;
}

export function TracePanel({ id, againMs = false, isWhole = false }: TracePanelProps) {
  const query = useRecord<Trace>(`/traces/${id}`, { again: () => againMs });
  return (
    <Panel title="Where is the money?" aside={<span className="text-xs text-soft">Times in Lagos</span>}>
      {query.isPending ? <Skeleton lines={8} /> : null}
      {query.isError ? <Failure error={query.error} retry={() => query.refetch()} /> : null}
      {query.data === undefined ? null : <Steps trace={query.data} startsWhole={isWhole} />}
    </Panel>
  );
}

interface StepsProps {
  readonly trace: Trace;
  readonly startsWhole: boolean;
}

function Steps({ trace, startsWhole }: StepsProps) {
  const [isWhole, setWhole] = useState(startsWhole);
  const steps = timeLine(isWhole ? trace : stepsInBrief(trace));
  const all = `Show all ${counted(trace.steps.length, "step")}`;
  return (
    <>
      <ol className="p-4 pb-0">
        {steps.map((step) => (
          <Step key={step.key} step={step} ownId={trace.id} isWhole={isWhole} />
        ))}
      </ol>
      {startsWhole || steps.length === 0 ? null : (
        <div className="border-t border-line px-4 py-2">
          <Button look="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? "Show fewer" : steps.length < trace.steps.length ? all : "Show details"}
          </Button>
        </div>
      )}
    </>
  );
}

interface StepProps {
  readonly step: TimedStep;
  readonly ownId: string;
  /** With what the ledger and the rail say. What went wrong says it always. */
  readonly isWhole: boolean;
}

function Step({ step, ownId, isWhole }: StepProps) {
  const Sign = entryOf(signs, step.kind) ?? Flag;
  return (
    <li className="group grid grid-cols-[2rem_1fr] gap-x-3">
      <div className="grid grid-rows-[auto_1fr] justify-items-center">
        <span
          className={`grid size-8 place-items-center rounded-full
            ${step.ok ? "bg-brand-tint text-brand-strong" : "bg-danger-tint text-danger"}`}
        >
          <Sign aria-hidden="true" className="size-4" />
        </span>
        <span aria-hidden="true" className="w-px bg-line group-last:hidden" />
      </div>
      <div className="min-w-0 pb-5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <p className="font-medium">
            {step.title}
            {step.ok ? null : <span className="ml-2 text-xs font-semibold text-danger">not ok</span>}
          </p>
          <p className="text-xs text-soft">
            {step.sinceMs === null ? null : <span className="mr-2">+{span(step.sinceMs)}</span>}
            <time dateTime={step.at} title={utcMoment(step.at)}>
              {lagosDay(step.at)} {lagosTime(step.at)}
            </time>
          </p>
        </div>
        <p className="text-xs text-soft">{words(step.kind)}</p>
        {isWhole || !step.ok ? <Details step={step} /> : null}
        {isWhole ? <Links step={step} ownId={ownId} /> : null}
      </div>
    </li>
  );
}

function Details({ step }: { readonly step: TimedStep }) {
  const legs = legsOf(step);
  const facts = factsOf(step);
  return (
    <>
      {facts.length === 0 ? null : (
        <dl className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-sm">
          {facts.map(([name, value]) => (
            <div key={name} className="flex min-w-0 gap-1.5">
              <dt className="text-soft">{words(name)}</dt>
              <dd className="min-w-0 break-all">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {legs.length === 0 ? null : (
        <ul
          aria-label="Legs of the posting"
          className="mt-2 grid max-w-sm gap-0.5 rounded-lg bg-sunken px-3 py-2 text-sm"
        >
          {legs.map(({ account, amount }) => (
            <li key={account} className="flex justify-between gap-4">
              <span>{words(account)}</span>
              <Money amount={amount} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Links({ step, ownId }: { readonly step: TimedStep; readonly ownId: string }) {
  const { at, place } = useRoom();
  const links = linksOf(step, ownId);
  // Operators have no pages of a merchant's records.
  if (links.length === 0 || place === null) return null;
  return (
    <p className="mt-1 flex flex-wrap gap-3 text-sm">
      {links.map(({ name, path }) => (
        <Link key={path} to={at(path)} className="text-brand underline underline-offset-4">
          {words(name)}
        </Link>
      ))}
    </p>
  );
}
