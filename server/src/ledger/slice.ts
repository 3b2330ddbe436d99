import type { Database } from "../platform/database/database.ts";
import type { Slice } from "../platform/slice-description.ts";
import { every } from "../platform/work/background-loop.ts";
import { sharedAccounts } from "./account.ts";
import { ledgerProblems } from "./errors.ts";
import { foldAccountDeltas } from "./fold-deltas.ts";
import { postingTrace } from "./read-postings.ts";
import { verifyLedger } from "./verify.ts";

const foldEveryMs = 1_000;

export const ledgerSlice: Slice<unknown, { readonly db: Database }> = {
  problems: ledgerProblems,
  systemAccounts: sharedAccounts,
  lookupFunctions: {
    "ledger_post(timestamp with time zone,uuid[],text[],text[],uuid[],text[],text[],integer[],uuid[],bigint[])":
      "Balances change only here: the application itself may not write them, not even in its own environment.",
    "find_environments_lacking_accounts(text[])":
      "A server that starts opens the accounts of new slices in every environment.",
    "fold_account_deltas()": "One folder adds the waiting deltas of all environments to their accounts.",
  },
  traces: [postingTrace],
  checks: [verifyLedger],
  operatorChecks: [verifyLedger],
  loops: ({ db }) => [{ name: "balance folder", step: every(foldEveryMs, () => foldAccountDeltas(db)) }],
};
