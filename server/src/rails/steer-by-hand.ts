/** The endpoints by which orders are ended by hand: a developer's in a sandbox, and an operator's with evidence. */
import { type Static, type TObject, type TProperties, type TSchema, Type } from "typebox";
import { type EnvironmentKind, type Tx, visitEnvironment } from "../platform/database/database.ts";
import { describeRoute, type Route } from "../platform/http/route.ts";
import { IdParams, OneOf } from "../platform/http/wire.ts";
import { Problem } from "../platform/problem.ts";
import { originOf, recordAudit } from "../platform/records/audit.ts";
import { findOnlyPlace } from "../platform/records/only-place.ts";
import type { OrderKey } from "./order.ts";
import { requireSteerable, type Steered, type SteerKind, steerOrder, wrongState } from "./steer-order.ts";

/** What both kinds of endpoints need to know of an order. */
export interface SteerableRecord<Order extends Steered, Step extends { readonly to: string }, Data extends TSchema> {
  readonly kind: SteerKind<Order, Step>;
  /** As paths and the look-up of an order's environment call it: "transfers". */
  readonly collection: string;
  /** The problem of an id that nobody has. */
  readonly notFound: string;
  readonly data: Data;
  present(order: Order, environment: EnvironmentKind): Static<Data>;
}

export interface SandboxWay<Order extends Steered, To extends string> {
  readonly to: To;
  readonly from?: readonly Order["status"][];
  readonly summary: string;
  readonly description: string;
}

export interface SandboxSteering<
  Order extends Steered,
  Step extends { readonly to: string },
  Way extends SandboxWay<Order, Step["to"]>,
> {
  /** By the last word of their paths. */
  readonly ways: Readonly<Record<string, Way>>;
  /** Has the rail's books say the same, outside any transaction. Null when it has gone another way there. */
  tellRail(key: OrderKey, order: Order, way: Way): Promise<Step | null>;
  /** Brings an order that the rail has only now heard of to where it can be ended. Undefined when it has moved. */
  prepare?(tx: Tx, order: Order): Promise<Order | undefined>;
}

/** An order moves at most twice before it is final, so a third reading finds it where it stays. */
const mostTries = 3;

/**
 * Deciding the outcome by hand, in a sandbox: the rail's books follow, so that both tell the same story. What the rail
 * was told holds for the order as it was read. An order that a worker has moved since is read and decided again:
 * otherwise a payout that was pending, of which the bank was told nothing, fails although the bank is paying it.
 */
export function sandboxSteerRoutes<
  Order extends Steered,
  Step extends { readonly to: string },
  Data extends TSchema,
  Way extends SandboxWay<Order, Step["to"]>,
>(record: SteerableRecord<Order, Step, Data>, steering: SandboxSteering<Order, Step, Way>): Route[] {
  const { kind, collection, notFound, data, present } = record;
  const label = labelOf(kind);
  const end = async (tx: Tx, found: Order, way: Way, step: Step): Promise<Order> => {
    const now = await kind.find(tx, found.id);
    if (now === undefined) throw kind.notFound();
    // A worker that asked the rail meanwhile has booked the same.
    if (now.status === way.to) return now;
    if (now.status !== found.status) throw wrongState(kind, now);
    const ready = steering.prepare === undefined ? now : await steering.prepare(tx, now);
    if (ready === undefined) throw wrongState(kind, now);
    return steerOrder(tx, kind, { id: found.id, from: [ready.status], step });
  };
  return Object.entries(steering.ways).map(([word, way]) =>
    describeRoute("key", {
      method: "POST",
      path: `/sandbox/${collection}/{id}/${word}`,
      operationId: `${word}Sandbox${label}`,
      tag: "Sandbox",
      scope: "sandbox:write",
      sandboxOnly: true,
      summary: way.summary,
      description: way.description,
      params: IdParams,
      reply: { status: 200, message: `${label} ${way.to}.`, data },
      problems: [notFound, "invalid_state"],
      handle: async ({ caller, params: { id }, read, write, kept }) => {
        const earlier = await kept<Static<Data>>();
        if (earlier !== undefined) return earlier;
        const key = { environmentId: caller.environmentId, kind: caller.kind, id };
        const decide = async () => {
          const found = requireSteerable(kind, await read((tx) => kind.find(tx, id)), { to: way.to, from: way.from });
          const step = await steering.tellRail(key, found, way);
          if (step === null) throw wrongState(kind, found);
          return write(async (tx) => ({ data: present(await end(tx, found, way, step), caller.kind) }));
        };
        for (let tries = 1; tries < mostTries; tries += 1) {
          const decided = await decide().catch(unlessMoved);
          if (decided !== undefined) return decided;
        }
        return decide();
      },
    }),
  );
}

const evidence = Type.String({
  minLength: 1,
  maxLength: 2_000,
  pattern: "\\S",
  description: "Where that is written: a letter, a ticket, a line of the settlement report. Kept in the audit trail.",
});

export interface Resolving<Order extends Steered, Step extends { readonly to: string }, Fields extends TProperties> {
  readonly summary: string;
  readonly description: string;
  readonly example: string;
  /** Who has established the outcome: "the bank". */
  readonly rail: string;
  /** Further fields of the body. */
  readonly fields: Fields;
  step(body: ResolveBody<Fields>): Step;
  /** What the audit trail keeps besides outcome, evidence and reference. */
  audited(order: Order): Readonly<Record<string, unknown>>;
}

const resolveFields = (rail: string) => ({
  outcome: OneOf(["completed", "failed"], { description: `What ${rail} has established.` }),
  evidence,
});

type ResolveFields = ReturnType<typeof resolveFields>;
export type ResolveBody<Fields extends TProperties> = Static<TObject<ResolveFields>> & Static<TObject<Fields>>;

/** Ending an order that the rail owes an answer about, with evidence. Only what is with the rail can be resolved. */
export function resolveRoute<
  Order extends Steered & { readonly reference: string },
  Step extends { readonly to: string },
  Data extends TSchema,
  Fields extends TProperties,
>(record: SteerableRecord<Order, Step, Data>, resolving: Resolving<Order, Step, Fields>): Route {
  const { kind, collection, notFound, data, present } = record;
  const label = labelOf(kind);
  return describeRoute("operator", {
    method: "POST",
    path: `/operator/${collection}/{id}/resolve`,
    operationId: `resolve${label}`,
    tag: "Operator",
    summary: resolving.summary,
    description: resolving.description,
    params: IdParams,
    body: Type.Object(
      { ...resolveFields(resolving.rail), ...resolving.fields },
      { examples: [{ outcome: "failed", evidence: resolving.example }] },
    ),
    reply: { status: 200, message: `${label} resolved.`, data },
    problems: [notFound, "invalid_state"],
    handle: (request) =>
      request.write(async (tx) => {
        const { id } = request.params;
        const body = request.body as ResolveBody<Fields>;
        const environmentId = await findOnlyPlace(tx, collection, id);
        if (environmentId === undefined) throw kind.notFound();
        const step = resolving.step(body);
        const end = async (inside: Tx) => {
          const resolved = await steerOrder(inside, kind, { id, from: ["processing"], step });
          return { resolved, environment: inside.environment.kind };
        };
        const { resolved, environment } = await visitEnvironment(tx, environmentId, end, "in order");
        await recordAudit(tx, originOf(request), {
          action: `${kind.noun}.resolve`,
          subjectType: kind.noun,
          subjectId: id,
          environmentId,
          detail: {
            outcome: body.outcome,
            evidence: body.evidence,
            reference: resolved.reference,
            ...resolving.audited(resolved),
          },
        });
        return { data: present(resolved, environment) };
      }),
  });
}

/** Undefined for a refusal because of the state, which may be another one by now. */
function unlessMoved(error: unknown): undefined {
  if (!(error instanceof Problem && error.code === "invalid_state")) throw error;
}

/** The noun as the beginning of a sentence. */
export function labelOf({ noun }: { readonly noun: string }): string {
  return noun.charAt(0).toUpperCase() + noun.slice(1);
}
