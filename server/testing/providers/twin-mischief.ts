/** Kinds of misbehaviour that campaigns mix: on the wire, in what a reply says, and in when a request arrives. */
import { recordAt } from "../../src/rails/wire-json.ts";
import { changedReply, type Fault, type FaultName, faultNames } from "./twin-faults.ts";

// Late replies cost time and teach nothing here: the limit on a call is the wire's affair.
export const wireFaults: readonly FaultName[] = faultNames.filter((name) => name !== "late");

/** Replies that say something untrue about the order. */
export function untrueReplies(recordName: string): Fault[] {
  const change = (name: string, fields: object) =>
    changedReply(name, (reply) => {
      const body = recordAt(reply.body);
      const record = { ...recordAt(reply.body, recordName), ...fields };
      return { ...reply, body: { ...body, [recordName]: record } };
    });
  return [
    change("unknown word", { status: "teleported" }),
    change("another amount", { amount: 1 }),
    change("another reference", { reference: "another-reference-0001" }),
    change("another currency", { currency: "USD" }),
    change("no word", { status: null }),
  ];
}

/** Requests that hang somewhere between us and the provider and arrive later, often after the order was sent again. */
export function heldRequests(random: () => number) {
  const held: (() => Promise<unknown>)[] = [];
  const fault: Fault = {
    name: "held",
    strike: async ({ response, handle }) => {
      response.destroy();
      held.push(handle);
    },
  };
  const releaseAll = async () => {
    for (const arrive of held.splice(0)) await arrive();
  };
  return { fault, releaseAll, release: async () => (random() < 0.3 ? releaseAll() : undefined) };
}
