/**
 * What an operator's role may change, as the server has it. Here it only decides what is offered, so that nobody fills
 * in a form to be refused at its end. Decisions are finer than this, and ask for themselves.
 */
import { entryOf } from "../../shared/entry-of.ts";

export type OperatorResource =
  | "checks"
  | "connections"
  | "incidents"
  | "merchants"
  | "payments"
  | "reconciliations"
  | "suspense"
  | "verifications";

const changes: Readonly<Record<string, readonly OperatorResource[]>> = {
  support: ["incidents"],
  reconciliation: ["checks", "payments", "reconciliations", "suspense", "verifications"],
};

/** A role that this page has never heard of is offered nothing. */
export function operatorMayChange(role: string | undefined, what: OperatorResource): boolean {
  if (role === "admin") return true;
  return role !== undefined && entryOf(changes, role)?.includes(what) === true;
}
