import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { findFreePort } from "../../server/src/platform/embedded-postgres/postmaster.ts";
import { connectTo, makeHome, projectRoot, startServer, stopServer } from "./server-process.ts";

const place = makeHome();
const [home, backups] = [join(place, "home"), join(place, "backups")];
const payout = { accountNumber: "0123456789", bankCode: "058", amount: 100, currency: "NGN" } as const;

interface Ended {
  readonly code: number;
  readonly said: string;
}

/** As `npm run backup` and `npm run restore` do it. */
async function run(
  program: "back-up" | "restore",
  settings: Record<string, string>,
  ...words: string[]
): Promise<Ended> {
  const { PATH = "" } = process.env;
  const file = join(projectRoot, "server", "src", "programs", `${program}.ts`);
  return promisify(execFile)(process.execPath, [file, ...words], { env: { PATH, ...settings } }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    (error: { code: number; stderr: string }) => ({ code: error.code, said: error.stderr.trim() }),
  );
}

async function startIn(folder: string) {
  const server = startServer({ JARA_HOME: folder, JARA_BACKUP_FOLDER: backups, PORT: String(await findFreePort()) });
  await server.ready;
  return server;
}

const restoreInto = (folder: string, ...words: string[]): Promise<Ended> =>
  run("restore", { JARA_HOME: folder }, "--from", backups, ...words);

test("a machine that is gone comes back from its backups, and only with its master key", async () => {
  const server = await startIn(home);
  const jara = connectTo(server, home);
  await jara.transfers.create({ ...payout, reference: "before" });
  const backup = await run("back-up", { JARA_HOME: home, JARA_BACKUP_FOLDER: backups });
  expect(backup).toMatchObject({ code: 0 });
  expect(backup.said).toContain("Every moment from now on can be restored, too.");
  const moment = await momentBetween();
  await jara.transfers.create({ ...payout, reference: "after" });
  await stopServer(server);

  const whole = join(place, "whole");
  expect((await restoreInto(whole)).said).toMatch(/is as it was at \d{4}-\d\d-\d\dT/);
  const keyless = startServer({ JARA_HOME: whole, PORT: String(await findFreePort()) });
  expect((await keyless.exit).code).toBe(1);
  expect(keyless.output()).toContain("No master key is set");

  for (const secret of ["master-key", "dev.json"]) copyFileSync(join(home, secret), join(whole, secret));
  expect(await referencesIn(whole)).toEqual(["after", "before"]);

  const earlier = join(place, "earlier");
  expect(await restoreInto(earlier, "--at", moment)).toMatchObject({ code: 0 });
  for (const secret of ["master-key", "dev.json"]) copyFileSync(join(home, secret), join(earlier, secret));
  expect(await referencesIn(earlier)).toEqual(["before"]);
});

/** A moment after everything so far and before everything that comes. */
async function momentBetween(): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 50));
  const moment = new Date().toISOString();
  await new Promise((resolve) => setTimeout(resolve, 50));
  return moment;
}

async function referencesIn(folder: string): Promise<string[]> {
  const server = await startIn(folder);
  const references: string[] = [];
  for await (const { reference } of connectTo(server, folder).transfers.list()) references.push(reference);
  await stopServer(server);
  return references;
}

test("what cannot be restored is refused, and nothing is left behind", async () => {
  expect(await restoreInto(home)).toMatchObject({ code: 1, said: expect.stringContaining("has data. Move it away") });
  const fresh = join(place, "fresh");
  const refused = async (...words: string[]) => (await restoreInto(fresh, ...words)).said;
  expect(await refused("--at", "yesterday")).toContain("--at takes a moment with its zone");
  expect(await refused("--at", "2026-11-16T09:30:00")).toContain("--at takes a moment with its zone");
  expect(await refused("--at", "2020-01-01T00:00:00Z")).toContain("is before that and cannot be restored");
  expect(await refused("--at", "2099-01-01T00:00:00Z")).toContain("ends before 2099-01-01T00:00:00.000Z");
  expect(readdirSync(join(fresh, "postgres"))).not.toContain("data");
  const own = await run("restore", { JARA_HOME: fresh, DATABASE_URL: "postgres://x@localhost/x" }, "--from", backups);
  expect(own.said).toContain("--data-folder");
});

test("a backup without a place, or of too few to keep, is refused", async () => {
  const nowhere = await run("back-up", { JARA_HOME: home });
  expect(nowhere).toEqual({
    code: 1,
    said: "Say where the backup goes: set JARA_BACKUP_FOLDER, or npm run backup -- --to FOLDER",
  });
  const none = await run("back-up", { JARA_HOME: home }, "--to", backups, "--keep", "0");
  expect(none.said).toContain("--keep takes the number of backups to keep");
  mkdirSync(join(place, "empty"));
  const empty = await run("restore", { JARA_HOME: join(place, "empty") }, "--from", join(place, "empty"));
  expect(empty.said).toContain("holds no finished backup");
});

test("a damaged backup is passed over by name, and the one before it is laid out", async () => {
  const damaged = join(backups, "base", "20991231T000000Z");
  mkdirSync(damaged);
  writeFileSync(join(damaged, "backup.json"), '{"label": "2099');
  const to = join(place, "laid-out");
  const words = [join(projectRoot, "server", "src", "programs", "restore.ts"), "--from", backups, "--data-folder", to];
  const { PATH = "" } = process.env;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, words, { env: { PATH, JARA_HOME: home } });
  expect(stderr).toContain(`The backup ${damaged} is damaged and was left out: `);
  expect(stderr).toMatch(/The backup \d{8}T\d{6}Z is restored\./);
  expect(stdout).toContain(`${to} is ready.`);
  expect(readdirSync(to)).toContain("PG_VERSION");
});
