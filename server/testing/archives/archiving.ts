/** Sandboxes whose events are old, a folder for archives, and what is in it. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Manifest } from "../../src/archives/archive.ts";
import { archiveDue } from "../../src/archives/archive-events.job.ts";
import { type ArchiveLimits, usualLimits } from "../../src/archives/archive-events.ts";
import { openShelf, type Shelf } from "../../src/archives/archive-file.ts";
import { sequenceEvents } from "../../src/platform/records/sequencer.ts";
import type { TestApp } from "../app.ts";
import { createMerchant } from "../factories.ts";
import { record, someEvent } from "../webhooks/events.ts";
import { whenOver } from "../when-over.ts";
import { asOwner, silentLog } from "../work.ts";

export interface FiledEvent {
  readonly position: number;
  readonly id: string;
  readonly line: string;
  readonly file: string;
}

export interface ArchiveFolder {
  readonly path: string;
  readonly shelf: Shelf;
  /** Archives what is due, as a worker does in one pass; returns how many events. */
  run(limits?: Partial<ArchiveLimits>, shelf?: Shelf): Promise<number>;
  /** The same with all limits, and a shelf that may break. */
  runWith(limits: ArchiveLimits, shelf: Shelf): Promise<number>;
  manifests(environmentId: string): Promise<Manifest[]>;
  /** Every line of every file that counts, with its file. */
  filed(environmentId: string): Promise<FiledEvent[]>;
}

export async function createArchiveFolder({ db }: Pick<TestApp, "db">): Promise<ArchiveFolder> {
  const path = await mkdtemp(join(tmpdir(), "jara-archive-"));
  whenOver(() => rm(path, { recursive: true, force: true }));
  const archive = { folder: path, days: { LIVE: 400, SANDBOX: 90 } };
  const own = openShelf(path);
  const runWith = (limits: ArchiveLimits, shelf: Shelf) =>
    archiveDue({ db, log: silentLog, archive }, shelf, new Date(), limits);
  const filesOf = async (environmentId: string) => {
    const found = await readdir(join(path, environmentId), { recursive: true }).catch(() => []);
    return found.filter((name) => name.endsWith(".json")).toSorted();
  };
  const read = (environmentId: string, name: string) => readFile(join(path, environmentId, name));
  return {
    path,
    shelf: own,
    runWith,
    run: (limits = {}, shelf = own) => runWith({ ...usualLimits, restMs: 0, ...limits }, shelf),
    manifests: async (environmentId) =>
      Promise.all(
        (await filesOf(environmentId)).map(async (name) => JSON.parse(String(await read(environmentId, name)))),
      ),
    filed: async (environmentId) => {
      const files = (await filesOf(environmentId)).map((name) => name.replace(/json$/, "ndjson.gz"));
      const texts = await Promise.all(
        files.map(async (file) => ({ file, text: String(gunzipSync(await read(environmentId, file))) })),
      );
      return texts.flatMap(({ file, text }) =>
        text
          .split("\n")
          .slice(0, -1)
          .map((line) => ({ ...JSON.parse(line), line, file })),
      );
    },
  };
}

/** A merchant whose sandbox stands at a moment of the past until `comeBack`. */
export async function createPast({ db, call }: Pick<TestApp, "db" | "call">, at = "2024-03-10T09:00:00.000Z") {
  const { environment, secretKey: key } = await createMerchant(db);
  const ask = async (method: string, path: string, body?: unknown) =>
    call(method, path, body === undefined ? { key } : { key, body });
  const tell = async (method: string, path: string, body: unknown) => {
    const reply = await ask(method, path, body);
    if (reply.statusCode >= 300) throw new Error(reply.body);
  };
  await tell("PUT", "/sandbox/clock", { mode: "frozen", now: at });
  return {
    key,
    environmentId: environment.id,
    ask,
    /** Events of this moment, numbered; returns their ids. */
    async log(count = 1): Promise<string[]> {
      const ids = await record(db, environment.id, ...Array.from({ length: count }, () => someEvent()));
      while ((await sequenceEvents(db)) > 0);
      return ids;
    },
    advance: (by: object) => tell("POST", "/sandbox/clock/advance", by),
    /** From now on the sandbox has real time, and what was logged is years old. */
    comeBack: () => tell("PUT", "/sandbox/clock", { mode: "running", now: new Date().toISOString() }),
  };
}

export type Past = Awaited<ReturnType<typeof createPast>>;

/** What a worker tried lately is not archived, and tests have no hour to wait. */
export async function ageAttempts(ownerUrl: string): Promise<void> {
  await asOwner(
    ownerUrl,
    `set session_replication_role = replica;
     update webhook_attempts set sent_at = sent_at - interval '2 hours';
     update webhook_deliveries set arrival_sent_at = arrival_sent_at - interval '2 hours'
     where arrival_sent_at is not null`,
  );
}
