/**
 * What a person's role may change, as the server has it: each request is checked there like a key's. Here it only
 * decides what is offered, so that nobody fills in a form to be refused at its end.
 */
import { entryOf } from "../../shared/entry-of.ts";

export type Resource = "transfers" | "bills" | "loans" | "checkout" | "webhooks" | "events" | "keys" | "sandbox";

const changes: Readonly<Record<string, readonly Resource[]>> = {
  owner: ["transfers", "bills", "loans", "checkout", "webhooks", "events", "keys", "sandbox"],
  developer: ["webhooks", "events", "sandbox", "keys"],
  finance: ["transfers", "bills", "loans", "checkout"],
  support: ["events"],
};

/** A role that this page has never heard of is offered nothing. */
export function mayChange(role: string, what: Resource): boolean {
  return entryOf(changes, role)?.includes(what) === true;
}
