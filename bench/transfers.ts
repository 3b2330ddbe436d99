/**
 * How fast payouts are accepted, against what one transaction each would give and against what HTTP alone gives, in
 * one run on one machine. Every round plays all legs; the ledger is verified after each.
 */
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { createGroupCommit } from "../server/src/ledger/group-commit.ts";
import { verifyLedger } from "../server/src/ledger/verify.ts";
import { kobo } from "../server/src/money/kobo.ts";
import { runningClock } from "../server/src/platform/database/clock.ts";
import { inEnvironment, readEnvironment } from "../server/src/platform/database/database.ts";
import { claimReferences } from "../server/src/platform/records/reference-claims.ts";
import { createSealer, generateMasterKey, parseMasterKeys } from "../server/src/platform/secrets/crypto.ts";
import {
  acceptTransfer,
  claimOf,
  nothingSaid,
  pendingTransfer,
  type TransferDraft,
} from "../server/src/transfers/payouts/accept-transfer.ts";
import { insertTransfers } from "../server/src/transfers/payouts/transfer-store.ts";
import { rememberTariffs } from "../server/src/transfers/tariff/remembered-tariffs.ts";
import { noCharge } from "../server/src/transfers/tariff/tariff.ts";
import { endRun } from "./end-run.ts";
import { measureLists } from "./lists.ts";
import { type LoadResult, load, requestBytes } from "./load.ts";
import { apiAt, createPayer, type Payer, readOperatorToken } from "./payers.ts";
import { openPgledger, type Peer } from "./pgledger.ts";
import { type Goal, type Leg, median } from "./report.ts";
import { openStage, type Stage } from "./stage.ts";

const seconds = Number(process.env["BENCH_SECONDS"] ?? 5);
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3);

type Figures = Map<string, { unit: string; values: number[] }>;

let counter = 0;
const nextReference = (): string => `bench-${process.pid}-${counter++}`;

function payoutRequest(payer: Payer, path: string, source: () => string | undefined): () => Buffer {
  return () => {
    const account = source();
    return requestBytes(
      "POST",
      path,
      payer.key,
      JSON.stringify({
        accountNumber: "0123456789",
        bankCode: "058",
        amount: 1500,
        currency: "NGN",
        narration: "Salary November",
        reference: nextReference(),
        ...(account === undefined ? {} : { sourceAccountId: account }),
      }),
    );
  };
}

function draftFrom(sourceAccountId: string): TransferDraft {
  return {
    ...nothingSaid,
    reference: nextReference(),
    sourceAccountId,
    accountNumber: "0123456789",
    accountName: "ADAEZE OKAFOR",
    bankCode: "058",
    amount: kobo(150_000n),
    narration: "Salary November",
  };
}

/** The same statements with one transaction a payout, as a server without group commit would run them. */
async function baseline(stage: Stage, payer: Payer, connections: number, source: () => string) {
  const groupCommit = createGroupCommit({
    db: stage.db,
    sealer: createSealer(parseMasterKeys(generateMasterKey())),
    slots: connections,
    perEnvironment: connections,
    batchSize: 1,
  });
  const tariffs = await rememberTariffs(stage.db)();
  const latencies: number[] = [];
  const started = performance.now();
  const until = started + seconds * 1000;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < until) {
        const sentAt = performance.now();
        await groupCommit.submit(payer.environmentId, acceptTransfer, {
          draft: draftFrom(source()),
          tariffs,
          enquiryExpiresAt: null,
          starting: null,
        });
        latencies.push(performance.now() - sentAt);
      }
    }),
  );
  const perSecond = latencies.length / ((performance.now() - started) / 1000);
  return { perSecond, p50Ms: median(latencies) };
}

async function verified<T>(stage: Stage, payer: Payer, leg: () => Promise<T>): Promise<T> {
  const result = await leg();
  const differences = await readEnvironment(stage.db, payer.environmentId, verifyLedger);
  if (differences.length > 0) throw new Error(`the ledger does not add up: ${JSON.stringify(differences.slice(0, 5))}`);
  return result;
}

function note(figures: Figures, name: string, unit: string, value: number): void {
  const figure = figures.get(name) ?? { unit, values: [] };
  figure.values.push(value);
  figures.set(name, figure);
}

async function payouts(stage: Stage, payer: Payer, connections: number, source: () => string | undefined) {
  const next = payoutRequest(payer, "/transfers", source);
  const result = await verified(stage, payer, () => load({ port: stage.port, connections, seconds, next }));
  refuseErrors(result, "201");
  return result;
}

function refuseErrors(result: LoadResult, expected: string): void {
  const others = Object.keys(result.statuses).filter((status) => status !== expected);
  if (others.length > 0) throw new Error(`unexpected answers: ${JSON.stringify(result.statuses)}`);
}

async function playRound(stage: Stage, payer: Payer, figures: Figures): Promise<void> {
  let turn = 0;
  const many = (): string => payer.wallets[turn++ % payer.wallets.length] ?? payer.mainWallet;
  const one = (): undefined => undefined;
  const single = await verified(stage, payer, () => baseline(stage, payer, 1, () => payer.mainWallet));
  note(figures, "(a) one transaction each, 1 connection p50", "ms", single.p50Ms);
  const manyBase = await verified(stage, payer, () => baseline(stage, payer, 16, many));
  note(figures, "(a) one transaction each, 16 connections", "payouts/s", manyBase.perSecond);
  const oneBase = await verified(stage, payer, () => baseline(stage, payer, 16, () => payer.mainWallet));
  note(figures, "(a) the same from one wallet", "payouts/s", oneBase.perSecond);
  const nothing = await load({
    port: stage.port,
    connections: 256,
    seconds,
    next: payoutRequest(payer, "/bench/nothing", one),
  });
  refuseErrors(nothing, "201");
  note(figures, "(b) POST that does nothing, 256 connections", "requests/s", nothing.perSecond);
  const lone = await payouts(stage, payer, 1, one);
  note(figures, "(c) one wallet, 1 connection p50", "ms", lone.p50Ms);
  for (const connections of [16, 64, 256]) {
    const fromOne = await payouts(stage, payer, connections, one);
    note(figures, `(c) one wallet, ${connections} connections`, "payouts/s", fromOne.perSecond);
    if (connections === 256) note(figures, "(c) one wallet, 256 connections p99", "ms", fromOne.p99Ms);
    const fromMany = await payouts(stage, payer, connections, many);
    note(figures, `(c) 1,000 wallets, ${connections} connections`, "payouts/s", fromMany.perSecond);
  }
  const besides = await duringCheckpoint(stage, () => payouts(stage, payer, 256, one));
  note(figures, "(c) the same while a checkpoint runs", "payouts/s", besides.perSecond);
  note(figures, "(c) the same while a checkpoint runs, p99", "ms", besides.p99Ms);
  await playBulk(stage, payer, figures);
  note(figures, "WAL bytes a payout, full pages apart", "bytes", await measureWal(stage, payer));
}

/** One that is asked for does not spread its writing over minutes, as PostgreSQL's own do: nothing is worse than this. */
async function duringCheckpoint<T>(stage: Stage, leg: () => Promise<T>): Promise<T> {
  const [result] = await Promise.all([leg(), pause(200).then(() => stage.admin.query("checkpoint"))]);
  return result;
}

const pgledger = "(f) pgledger's function, 16 connections, one account";

async function playPeer(peer: Peer | undefined, figures: Figures): Promise<void> {
  if (peer !== undefined) note(figures, pgledger, "transfers/s", await peer.run(seconds));
}

const bulkSize = 1000;

async function playBulk(stage: Stage, payer: Payer, figures: Figures): Promise<void> {
  const next = (): Buffer => {
    const item = { accountNumber: "0123456789", bankCode: "058", amount: 1500, narration: "Salary November" };
    const transfers = Array.from({ length: bulkSize }, () => ({ ...item, reference: nextReference() }));
    const body = JSON.stringify({ batchReference: nextReference(), currency: "NGN", transfers });
    return requestBytes("POST", "/transfers/bulk", payer.key, body);
  };
  const bulk = await verified(stage, payer, () => load({ port: stage.port, connections: 2, seconds, next }));
  refuseErrors(bulk, "201");
  note(figures, "(d) bulk of 1,000", "payouts/s", bulk.perSecond * bulkSize);
  note(figures, "(d) the same rows without the ledger's", "payouts/s", await insertPlainRows(stage, payer));
}

/** What a bulk writes but for the ledger: the claims of its references and its transfers. */
async function insertPlainRows(stage: Stage, payer: Payer): Promise<number> {
  const started = performance.now();
  let rows = 0;
  let position = -1n;
  while (performance.now() - started < seconds * 1000) {
    const clock = runningClock(new Date(), 0);
    const transfers = Array.from({ length: bulkSize }, () =>
      pendingTransfer(clock.newId(), draftFrom(payer.mainWallet), noCharge, clock.now()),
    );
    // Negative positions keep these rows out of every list; they are removed again below.
    position -= BigInt(bulkSize);
    await inEnvironment(stage.db, payer.environmentId, async (tx) => {
      await claimReferences(tx, "bench", transfers.map(claimOf));
      await insertTransfers(tx, { records: transfers, firstPosition: sql`${position}`, claimable: true });
    });
    rows += bulkSize;
  }
  const perSecond = rows / ((performance.now() - started) / 1000);
  await stage.admin.query("delete from transfers where list_position < 0");
  return perSecond;
}

/** Full-page images depend on when the last checkpoint was; without them the figure is the payout's own. */
async function measureWal(stage: Stage, payer: Payer): Promise<number> {
  await stage.admin.query("alter system set full_page_writes = off");
  await stage.admin.query("select pg_reload_conf()");
  const before = await readWal(stage);
  const result = await load({
    port: stage.port,
    connections: 256,
    seconds: 2,
    next: payoutRequest(payer, "/transfers", () => undefined),
  });
  const written = (await readWal(stage)) - before;
  await stage.admin.query("alter system reset full_page_writes");
  await stage.admin.query("select pg_reload_conf()");
  return written / result.requests;
}

async function readWal(stage: Stage): Promise<number> {
  const result = await stage.admin.query<{ bytes: string }>(
    "select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes",
  );
  return Number(result.rows[0]?.bytes);
}

function goalsOf(figures: Figures, pageRatio: number): Goal[] {
  const of = (name: string): number => median(figures.get(name)?.values ?? []);
  const one = of("(c) one wallet, 256 connections");
  const many = of("(c) 1,000 wallets, 256 connections");
  const bulk = of("(d) bulk of 1,000");
  const plain = of("(d) the same rows without the ledger's");
  return [
    {
      name: "one wallet at 256 ÷ (a) 16 connections",
      value: one / of("(a) one transaction each, 16 connections"),
      atLeast: 10,
    },
    { name: "one wallet at 256 ÷ (a) from one wallet", value: one / of("(a) the same from one wallet"), atLeast: 10 },
    { name: "one wallet at 256 ÷ (b)", value: one / of("(b) POST that does nothing, 256 connections"), atLeast: 0.5 },
    { name: "one wallet at 256, p99 ms", value: of("(c) one wallet, 256 connections p99"), atMost: 100 },
    { name: "one wallet ÷ 1,000 wallets", value: one / many, atLeast: 0.9 },
    {
      name: "1 connection: p50 over (a), ms",
      value: of("(c) one wallet, 1 connection p50") - of("(a) one transaction each, 1 connection p50"),
      atMost: 2,
    },
    { name: "bulk ÷ rows without a ledger (or 20,000/s)", value: bulk >= 20_000 ? 1 : bulk / plain, atLeast: 0.6 },
    { name: "WAL bytes a payout", value: of("WAL bytes a payout, full pages apart"), atMost: 1500 },
    { name: "last page of millions ÷ first page of 10,000", value: pageRatio, atMost: 1.5 },
    ...(figures.has(pgledger) ? [{ name: "one wallet at 256 ÷ (f)", value: one / of(pgledger), atLeast: 1 }] : []),
  ];
}

export async function benchTransfers(): Promise<void> {
  const stage = await openStage();
  try {
    const api = apiAt(stage.port);
    const operatorToken = readOperatorToken(stage.home);
    const payer = await createPayer(api, operatorToken, 1000);
    await payouts(stage, payer, 64, () => undefined); // warms caches and compilers
    const peer = await openPgledger(stage);
    const figures: Figures = new Map();
    for (let round = 1; round <= rounds; round += 1) {
      console.log(`round ${round} of ${rounds}`);
      await playRound(stage, payer, figures);
      await playPeer(peer, figures);
      await sql`select fold_account_deltas()`.execute(stage.db);
    }
    await peer?.close();
    const lists = await measureLists(stage, api, operatorToken);
    const legs: Leg[] = [...figures].map(([name, figure]) => ({ name, ...figure }));
    legs.push(...lists.legs);
    const goals = goalsOf(figures, lists.ratio);
    endRun("transfers", legs, goals);
  } finally {
    await stage.close();
  }
}
