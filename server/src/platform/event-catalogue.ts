/**
 * What a domain announces. Each domain declares its events beside its rules, in `events.ts`; the list of names that an
 * endpoint can choose from, docs/events.md and the webhooks of the OpenAPI document all come from these declarations,
 * and tests hold what was really written against them.
 */
import type { TSchema } from "typebox";

export interface EventKind {
  /** When it happens, as a sentence. */
  readonly description: string;
  /** The record that it carries. */
  readonly data: TSchema;
  /** Where the same record can be read, as the route's path; absent where no endpoint shows it. */
  readonly readAt?: `/${string}`;
}

export type EventCatalogue = Readonly<Record<string, EventKind>>;

/** Two domains must not announce different things under one name. */
export function mergeEventCatalogues(parts: readonly EventCatalogue[]): EventCatalogue {
  const merged: Record<string, EventKind> = {};
  for (const [name, kind] of parts.flatMap((part) => Object.entries(part))) {
    if (merged[name] !== undefined) throw new Error(`two catalogues have the event ${name}`);
    merged[name] = kind;
  }
  return Object.freeze(merged);
}
