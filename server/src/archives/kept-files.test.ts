/** A worker that archives is killed with -9 wherever it is; and what became of files is named by `verify`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, copyFileSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import type { Phase } from "../../testing/archives/archiver-process.ts";
import { createArchiveFolder, createPast, type Past } from "../../testing/archives/archiving.ts";
import { eventually } from "../../testing/work.ts";
import { readEnvironment } from "../platform/database/database.ts";
import { compareFolder } from "./compare-folder.ts";
import { verifyArchives } from "./verify-archives.ts";

const app = await createTestApp();
const { db, appUrl } = app;
const program = fileURLToPath(new URL("../../testing/archives/archiver-process.ts", import.meta.url));

const onlineIn = (past: Past) =>
  readEnvironment(db, past.environmentId, async (tx) => {
    const found = await sql<{ id: string }>`select id from events order by list_position`.execute(tx);
    return found.rows.map(({ id }) => id);
  });

const only = (past: Past) =>
  (async function* () {
    yield { id: past.environmentId };
  })();

async function createOld(events: number) {
  const folder = await createArchiveFolder(app);
  const past = await createPast(app);
  const ids = await past.log(events);
  await past.comeBack();
  return { folder, past, ids, compare: () => compareFolder(db, folder.path, only(past)) };
}

async function killAt(phase: Phase, folder: string, isThere: (printed: string) => Promise<boolean> | boolean) {
  const worker = spawn(process.execPath, [program, appUrl, folder, phase], { stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  worker.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  await eventually(`the worker is at: ${phase}`, () => {
    if (worker.exitCode !== null) throw new Error("the worker ended by itself");
    return isThere(printed);
  });
  const ended = once(worker, "exit");
  worker.kill("SIGKILL");
  await ended;
}

describe("a worker that is killed", () => {
  test.each<Phase>(["begun", "written", "read back", "put aside"])("at: %s, has taken nothing away", async (phase) => {
    const { folder, past, ids, compare } = await createOld(8);
    await killAt(phase, folder.path, (printed) => printed.includes(phase));
    expect(await onlineIn(past)).toEqual(ids);
    const left = await compare();
    expect([left.files, left.faults, left.remarks.length]).toEqual([0, [], phase === "begun" ? 0 : 1]);
    // PostgreSQL lets go of its lock when it notices.
    await eventually("the next run archives them", async () => (await folder.run()) === 8);
    expect((await folder.filed(past.environmentId)).map(({ id }) => id)).toEqual(ids);
    expect(await onlineIn(past)).toEqual([]);
    expect(await compare()).toEqual({ files: 1, faults: [], remarks: [] });
    expect(await readEnvironment(db, past.environmentId, verifyArchives)).toEqual([]);
  });

  test("while rows are removed leaves each event in the file, and the next run goes on", async () => {
    const { folder, past, ids, compare } = await createOld(8);
    await killAt("removing", folder.path, async () => (await onlineIn(past)).length < ids.length);
    expect((await folder.filed(past.environmentId)).map(({ id }) => id)).toEqual(ids);
    expect(await onlineIn(past)).toEqual(ids.slice(3));
    expect((await past.ask("GET", `/events/${ids[7]}`)).statusCode).toBe(410);
    expect(await folder.run()).toBe(0);
    expect(await onlineIn(past)).toEqual([]);
    expect(await compare()).toEqual({ files: 1, faults: [], remarks: [] });
    expect(await readEnvironment(db, past.environmentId, verifyArchives)).toEqual([]);
  });
});

describe("verify", () => {
  const cure = "Bring it back from a backup of the archive folder.";

  test("names each file that is damaged, shortened, missing or extra, and a manifest that is gone", async () => {
    const { folder, past, compare } = await createOld(2);
    expect(await folder.run()).toBe(2);
    const [filed] = await folder.filed(past.environmentId);
    const file = `${past.environmentId}/${filed?.file}`;
    const path = join(folder.path, file);
    const manifest = file.replace(/\.ndjson\.gz$/, ".json");
    const twin = path.replace(/-[0-9a-f]{12}\./, "-000000000000.");
    copyFileSync(path, twin);
    expect(await compare()).toMatchObject({
      faults: [],
      remarks: [expect.stringContaining("-000000000000.ndjson.gz is extra: no environment counts it.")],
    });
    rmSync(join(folder.path, manifest));
    expect((await compare()).faults).toEqual([`archive: ${manifest} is missing. ${cure}`]);
    appendFileSync(path, "x");
    expect((await compare()).faults).toEqual([expect.stringMatching(/ is damaged: expected \d+ bytes, found \d+\. /)]);
    truncateSync(path);
    appendFileSync(path, Buffer.alloc(Number((await readBytes(past)) ?? 0)));
    expect((await compare()).faults).toEqual([
      expect.stringMatching(/ is damaged: expected sha256 [0-9a-f]{64}, found [0-9a-f]{64}\. /),
    ]);
    rmSync(path);
    expect((await compare()).faults).toEqual([`archive: ${file} is missing. ${cure}`]);
  });

  test("says that the folder cannot be read", async () => {
    const { past } = await createOld(1);
    const { faults } = await compareFolder(db, "/no/such/folder", only(past));
    expect(faults).toEqual([expect.stringMatching(/^archive: the folder \/no\/such\/folder cannot be read: ENOENT/)]);
  });
});

const readBytes = (past: Past) =>
  readEnvironment(db, past.environmentId, async (tx) => {
    const found = await sql<{ bytes: bigint }>`select bytes from event_archives`.execute(tx);
    return found.rows[0]?.bytes;
  });
