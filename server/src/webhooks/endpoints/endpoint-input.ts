/** What a merchant may ask of an endpoint, beyond what the schema can say. All that is wrong is told at once. */
import { commonProblem, type FieldError } from "../../platform/problem.ts";
import { everyEvent } from "./endpoint.ts";
import type { ReachPolicy } from "./reachable-address.ts";
import { readWebhookUrl } from "./webhook-url.ts";

export interface EndpointInput {
  readonly url?: string;
  readonly events?: readonly string[];
}

export interface ReadInput {
  readonly url?: string;
  readonly events?: readonly string[];
}

/** What an endpoint is held against. */
export interface EndpointRules {
  readonly policy: ReachPolicy;
  /** Every event that there is: what an endpoint can ask for. */
  readonly eventNames: readonly string[];
}

/** Returns the address in its normal form and the events without repetition. */
export function readEndpointInput(input: EndpointInput, rules: EndpointRules): ReadInput {
  const errors = endpointErrors({ ...input }, rules);
  if (errors.length > 0) throw commonProblem("validation_failed", { errors });
  const verdict = input.url === undefined ? undefined : readWebhookUrl(input.url, rules.policy);
  return {
    ...(verdict !== undefined && "url" in verdict ? { url: verdict.url } : {}),
    ...(input.events === undefined ? {} : { events: [...new Set(input.events)] }),
  };
}

/** What is wrong with fields of the right type; what has another type is left to the schema. */
export function endpointErrors(
  { url, events }: Readonly<Record<string, unknown>>,
  { policy, eventNames }: EndpointRules,
): FieldError[] {
  const verdict = typeof url === "string" ? readWebhookUrl(url, policy) : undefined;
  const names = Array.isArray(events) ? events.filter((name) => typeof name === "string") : [];
  const ofEvents = names.length === 0 ? [] : errorsOfEvents(names, eventNames);
  return verdict !== undefined && "refusal" in verdict
    ? [{ field: "url", message: verdict.refusal }, ...ofEvents]
    : ofEvents;
}

function errorsOfEvents(events: readonly string[], known: readonly string[]): FieldError[] {
  if (events.includes(everyEvent) && new Set(events).size > 1) {
    return [{ field: "events", message: `must be ["${everyEvent}"] alone, or a list of names` }];
  }
  return events.flatMap((name, index) => {
    if (name === everyEvent || known.includes(name)) return [];
    return [{ field: `events[${index}]`, message: "is not the name of an event" }];
  });
}
