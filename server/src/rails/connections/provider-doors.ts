/**
 * Where providers call us: their webhooks, and the question whether a payment is ours. Both are open to the world, so
 * nothing that they say is believed: a webhook is a hint to ask, and a question is answered from our own records.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Database, inEnvironment, operatorScope } from "../../platform/database/database.ts";
import { isUuid } from "../../platform/database/ids.ts";
import { sendPresented } from "../../platform/http/reply/replies.ts";
import type { Logger } from "../../platform/logger.ts";
import { commonProblem } from "../../platform/problem.ts";
import { type ApprovalQuestion, type Hint, type HookRequest, productsHint } from "../provider.ts";
import type { ConnectionBook } from "./connection-book.ts";
import { connectionProblem } from "./errors.ts";
import { insertHint } from "./hint-store.ts";

export interface HookDependencies {
  readonly db: Database;
  readonly log: Logger;
  readonly connections: ConnectionBook;
  /** Whether such a payment of ours is with the provider at this moment. */
  isPaying(connectionId: string, question: ApprovalQuestion): Promise<boolean>;
}

interface Called {
  readonly Params: { readonly connectionId: string };
}

const longestId = 200;

export function registerProviderDoors(app: FastifyInstance, deps: HookDependencies): void {
  app.post<Called>("/rails/:connectionId/hook", async (request, reply) => {
    const { connection, connected } = await calledBy(deps, request);
    if (connected.readHook === undefined) throw commonProblem("not_found");
    const hint = connected.readHook(asHook(request));
    if (hint.about === "forged") {
      deps.log.warn({ connectionId: connection.id, address: request.ip }, "a webhook had a wrong signature");
      throw connectionProblem("hook_signature_invalid");
    }
    request.giveBack?.();
    const subject = subjectOf(hint);
    if (subject !== undefined && subject.orderId.length <= longestId) {
      const named = { connectionId: connection.id, ...subject, event: hint.event.slice(0, longestId) };
      await inEnvironment(deps.db, operatorScope, (tx) => insertHint(tx, named));
    }
    return sendPresented(reply, { status: 200, body: JSON.stringify(connected.hookReply ?? {}) });
  });

  app.post<Called>("/rails/:connectionId/approval", async (request, reply) => {
    const { connection, connected } = await calledBy(deps, request);
    if (connected.readApproval === undefined) throw commonProblem("not_found");
    const questions = await connected.readApproval(asHook(request));
    if (questions === null || questions.length === 0 || !(await areAllOurs(deps, connection.id, questions))) {
      deps.log.error(
        { connectionId: connection.id, address: request.ip },
        "a payment that is not ours was not approved",
      );
      throw connectionProblem("approval_refused");
    }
    request.giveBack?.();
    return sendPresented(reply, { status: 200, body: "{}" });
  });
}

/** What is to be asked about: an order, or everything that a biller sells. */
function subjectOf(hint: Exclude<Hint, { readonly about: "forged" }>) {
  if (hint.about === "nothing") return undefined;
  return hint.about === "products"
    ? ({ port: "biller", orderId: productsHint } as const)
    : { port: hint.about, orderId: hint.id };
}

async function calledBy({ connections }: HookDependencies, { params }: FastifyRequest<Called>) {
  const found = isUuid(params.connectionId) ? await connections.find(params.connectionId.toLowerCase()) : undefined;
  if (found === undefined) throw commonProblem("not_found");
  return found;
}

function asHook(request: FastifyRequest<Called>): HookRequest {
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value[0] : value,
  ]);
  return { body: request.rawBody ?? Buffer.alloc(0), headers: Object.fromEntries(headers) };
}

async function areAllOurs(
  { isPaying }: HookDependencies,
  connectionId: string,
  questions: readonly ApprovalQuestion[],
): Promise<boolean> {
  const ours = await Promise.all(questions.map((question) => isPaying(connectionId, question)));
  return ours.every(Boolean);
}
