/** What every slice stands on. */
import type { Database } from "./database/database.ts";
import { httpProblems } from "./http/http-problems.ts";
import { commonProblems } from "./problem.ts";
import { foldListCounts, verifyListCounts } from "./records/list-counts.ts";
import type { Slice } from "./slice-description.ts";
import { clockProblems } from "./time/clock-problems.ts";
import { every } from "./work/background-loop.ts";

/** A reader adds up what the batches of one environment have left in this time. */
const foldEveryMs = 5_000;

export const platformSlice: Slice<unknown, { readonly db: Database }> = {
  problems: { ...commonProblems, ...httpProblems, ...clockProblems },
  sealedColumns: [{ table: "idempotency_keys", column: "sealed_body", key: "key" }],
  queues: {
    agenda: { says: "Questions to rails, reversals and other work whose time has come", slowSeconds: 30 },
    jobs: { says: "Jobs that wait for a worker", slowSeconds: 30 },
    events: { says: "Events that have no place in the log yet", slowSeconds: 15 },
  },
  lookupFunctions: {
    "purge_idempotency_keys(timestamp with time zone,integer)": "Retention ends everywhere.",
    "take_due_agenda(text[],integer)": "One ticker wakes what is due in every running environment.",
    "next_agenda_wake_ms(text[])": "The ticker sleeps until the next entry of any environment.",
    "bring_forward_work(integer)": "Work of any environment that a wrong clock has booked too far ahead is due again.",
    "find_frozen_environments(uuid[])": "A worker takes jobs of all environments and leaves those that stand still.",
    "find_unsettled_clocks(integer)": "The sweeper finishes what a killed process left in any frozen sandbox.",
    "find_waiting_advances(integer,integer)": "Advances that a killed process left are taken further by any other.",
    "find_records_without_work(text,uuid[],text[],integer)":
      "The sweeper finds records of any environment that nothing will move.",
    "sequence_events(integer)": "One sequencer numbers the events of all environments.",
    "sequence_waiting_events(bigint)":
      "A batch numbers what others have committed in its environment before its own events.",
    "fold_list_counts()": "One folder adds up what batches of all environments have counted.",
    "find_environments_of_record(text[],uuid)": "An operator names a record by its id alone.",
    "list_decisions_about(text[])": "A merchant is told that an operator decided about its record; the trail is ours.",
    "reset_sandbox(uuid)": "Only the owner of the look-up functions may delete what is append-only, and only here.",
  },
  checks: [verifyListCounts],
  loops: ({ db }) => [{ name: "count folder", step: every(foldEveryMs, () => foldListCounts(db)) }],
};
