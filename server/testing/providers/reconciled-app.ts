/** A live app whose days with a provider are compared: payouts on chosen days, and what a run has found. */
import { mainWalletId } from "../../src/wallets/wallet.ts";
import { asOwner } from "../work.ts";
import { createLiveApp, type LiveApp } from "./live-app.ts";

export interface ShownException {
  readonly id: string;
  readonly kind: string;
  readonly ours: Readonly<Record<string, unknown>> | null;
  readonly theirs: Readonly<Record<string, unknown>> | null;
  readonly ageDays: number;
  readonly firstSeenAt: string;
  readonly closedAt: string | null;
  readonly resolvedBy: string | null;
  readonly reason: string | null;
}

export interface ShownRun {
  readonly id: string;
  readonly state: string;
  readonly version: number;
  readonly counts: Readonly<Record<string, number>> | null;
  readonly totals: readonly Readonly<Record<string, unknown>>[];
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly exceptions: readonly ShownException[];
}

export interface ReconciledApp extends LiveApp {
  /** A payout that is with the provider, as if it had been sent at this moment. Returns our session id and its id. */
  payAt(
    at: Date,
    options?: { readonly amount?: number; readonly reference?: string },
  ): Promise<{ readonly id: string; readonly sessionId: string }>;
  start(connectionId: string, date: string): Promise<string>;
  /** Starts a run, lets the worker do it, and reads what it has found. */
  compare(connectionId: string, date: string): Promise<ShownRun>;
  show(id: string): Promise<ShownRun>;
  /** Runs SQL as the owner of the tables. */
  owner(statement: string): Promise<unknown>;
}

export async function createReconciledApp(): Promise<ReconciledApp> {
  const app = await createLiveApp();
  const { operate, callLive, work } = app;
  await operate("POST", `/operator/wallets/${mainWalletId(app.liveEnvironmentId)}/credit`, {
    amount: 100_000_000,
    reference: "opening",
    reason: "Float for tests",
  });
  const owner = (statement: string) => asOwner(app.ownerUrl, statement);
  let made = 0;
  const show = async (id: string) => (await operate("GET", `/operator/reconciliations/${id}`)).json().data as ShownRun;
  const start = async (connectionId: string, date: string) => {
    const reply = await operate("POST", "/operator/reconciliations", { connectionId, date });
    if (reply.statusCode !== 201) throw new Error(reply.body);
    return reply.json().data.id as string;
  };
  return {
    ...app,
    owner,
    show,
    start,
    compare: async (connectionId, date) => {
      const id = await start(connectionId, date);
      await work("reconciliations");
      return show(id);
    },
    payAt: async (at, { amount = 2_500, reference = `compared-${made}` } = {}) => {
      made += 1;
      const body = { reference, bankCode: "058", accountNumber: "0123456789", currency: "NGN", amount };
      const reply = await callLive("POST", "/transfers", body);
      if (reply.statusCode !== 201) throw new Error(reply.body);
      const { id } = reply.json().data;
      await work("transfer sender LIVE");
      const { sessionId } = (await callLive("GET", `/transfers/${id}`)).json().data;
      await owner(`update transfers set sent_at = '${at.toISOString()}' where id = '${id}'`);
      return { id, sessionId };
    },
  };
}
