/**
 * What a domain announces. Each domain declares its events in its `slice.ts` or in an `events.ts` beside its rules; the
 * list of names that an endpoint can choose from, docs/events.md and the webhooks of the OpenAPI document all come from
 * these declarations, and tests hold what was really written against them.
 */
import type { TSchema } from "typebox";

export interface EventKind {
  /** When it happens, as a sentence. */
  readonly description: string;
  /** The record that it carries. */
  readonly data: TSchema;
  /** Where the same record can be read, as the route's path; absent where no endpoint shows it. */
  readonly readAt?: `/${string}`;
  /** One such record from life; without it the documents make one of the schema. */
  readonly example?: unknown;
}

export type EventCatalogue = Readonly<Record<string, EventKind>>;

/** Names that nobody announces have no example. */
export function withExamples(catalogue: EventCatalogue, examples: Readonly<Record<string, unknown>>): EventCatalogue {
  const entries = Object.entries(catalogue).map(([name, kind]): [string, EventKind] => {
    const example = examples[name];
    return [name, example === undefined ? kind : { ...kind, example }];
  });
  return Object.freeze(Object.fromEntries(entries));
}
