/** What facts mean, one by one: a server that lacks nothing, and each thing that it may lack. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type ArchiveFacts,
  type BackupFacts,
  judgeArchiveFolder,
  judgeBackups,
  judgeCertificate,
  judgeSettings,
  lookAtAddress,
  readArchiveFacts,
  type Settings,
} from "./check-production.ts";
import type { DatabaseFacts, LoginFacts } from "./database-facts-store.ts";
import type { Finding } from "./finding.ts";

import { judgeDatabase, judgeHouse, judgeLogin, judgeMigrations } from "./judge-database.ts";

const now = new Date("2026-11-17T09:00:00Z");
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
const verdictsOf = (findings: readonly Finding[]) =>
  Object.fromEntries(
    findings.filter(({ verdict }) => verdict !== "good").map(({ topic, verdict }) => [topic, verdict]),
  );

const settings: Settings = {
  host: "127.0.0.1",
  publicUrl: "https://pay.example.com",
  trustProxy: 1,
  databaseUrl: "postgres://app@db.example.com/jara",
  databaseOwnerUrl: "postgres://owner@db.example.com/jara",
  lender: {},
  webhookReach: { sandboxLoopback: false },
};

describe("settings", () => {
  test.each<[string, Partial<Settings>, object]>([
    ["nothing lacks", {}, {}],
    ["the address is this machine's", { publicUrl: "https://localhost:4000" }, { address: "missing" }],
    ["the address has no TLS", { publicUrl: "http://pay.example.com" }, { address: "missing" }],
    ["no proxy is named", { trustProxy: false }, { proxy: "missing" }],
    ["the port is open to all", { host: "0.0.0.0" }, { proxy: "look" }],
    ["one login for all", { databaseOwnerUrl: "postgres://app@db.example.com/jara" }, { logins: "look" }],
    ["sandboxes reach this machine", { webhookReach: { sandboxLoopback: true } }, { webhooks: "look" }],
  ])("%s", (_what, given, wanted) => {
    expect(verdictsOf(judgeSettings({ ...settings, ...given }))).toEqual(wanted);
  });

  test("without a lender live loans are refused", () => {
    const { lender: _, ...without } = settings;
    expect(verdictsOf(judgeSettings(without))).toEqual({ lender: "look" });
  });
});

const facts: DatabaseFacts = {
  version: 18,
  isStandby: false,
  fsync: true,
  fullPageWrites: true,
  synchronousCommit: "on",
  checksums: true,
  usesTls: true,
  archives: true,
  archiveFails: false,
  standbys: 2,
  synchronousStandbys: 1,
  connections: 200,
  clockAheadMs: -12,
};

describe("the database", () => {
  test.each<[string, Partial<DatabaseFacts>, object]>([
    ["nothing lacks", {}, {}],
    ["too old", { version: 14 }, { PostgreSQL: "missing" }],
    ["takes no writes", { isStandby: true }, { PostgreSQL: "missing" }],
    ["fsync is off", { fsync: false }, { durability: "missing" }],
    ["commits do not wait", { synchronousCommit: "off" }, { durability: "missing" }],
    ["torn pages", { fullPageWrites: false }, { durability: "missing" }],
    ["no checksums", { checksums: false }, { durability: "look" }],
    ["no standby", { standbys: 0, synchronousStandbys: 0 }, { standby: "look" }],
    ["no synchronous standby", { synchronousStandbys: 0 }, { standby: "look" }],
    ["its clock is ahead", { clockAheadMs: 2_500 }, { clock: "missing" }],
    ["its clock is behind", { clockAheadMs: -2_500 }, { clock: "missing" }],
    ["no TLS to another machine", { usesTls: false }, { connection: "missing" }],
  ])("%s", (_what, given, wanted) => {
    expect(verdictsOf(judgeDatabase({ ...facts, ...given }, { isRemote: true }))).toEqual(wanted);
  });

  test("on the same machine TLS is not wanted, and both settings that are off are named", () => {
    expect(verdictsOf(judgeDatabase({ ...facts, usesTls: false }, { isRemote: false }))).toEqual({});
    const [durability] = judgeDatabase({ ...facts, fsync: false, synchronousCommit: "off" }, { isRemote: true }).slice(
      1,
    );
    expect(durability?.cure).toBe("Turn fsync and synchronous_commit on.");
  });

  const login: LoginFacts = { isSuperuser: false, bypassesTenants: false, ownsTables: false };
  test.each<[string, Partial<LoginFacts>, object]>([
    ["stays inside", {}, {}],
    ["is a superuser", { isSuperuser: true }, { tenants: "missing" }],
    ["passes tenants' walls by", { bypassesTenants: true }, { tenants: "missing" }],
    ["owns the tables", { ownsTables: true }, { tenants: "look" }],
  ])("a login that %s", (_what, given, wanted) => {
    expect(verdictsOf([judgeLogin({ ...login, ...given })])).toEqual(wanted);
  });

  test("a demo merchant and a missing bank are looked at, and so are migrations that wait", () => {
    expect(verdictsOf(judgeHouse({ demoMerchants: 0, livePorts: ["bank", "biller"] }))).toEqual({});
    expect(verdictsOf(judgeHouse({ demoMerchants: 1, livePorts: ["biller"] }))).toEqual({
      demo: "look",
      rails: "look",
    });
    expect(verdictsOf([judgeMigrations([], { isEmpty: false })])).toEqual({});
    expect(judgeMigrations(["0077-x.sql"], { isEmpty: false }).says).toBe(
      "1 migrations wait, the first is 0077-x.sql.",
    );
    expect(judgeMigrations(["0001-x.sql"], { isEmpty: true }).says).toBe("The database is empty.");
  });
});

const hole = { name: "000000010000000000000005", why: "is missing" };
const backups: BackupFacts = {
  folder: "/mnt/b",
  newest: hoursAgo(5),
  damaged: [],
  holes: { problems: [], sinceNewest: false },
  archives: true,
  archiveFails: false,
  now,
};

describe("backups", () => {
  test.each<[string, Partial<BackupFacts>, object]>([
    ["nothing lacks", {}, {}],
    ["just made", { newest: now }, {}],
    ["nobody can tell", { folder: undefined }, { backup: "look" }],
    ["none was made", { newest: undefined }, { backup: "missing" }],
    ["too old", { newest: hoursAgo(27) }, { backup: "missing" }],
    ["one of them damaged", { damaged: ["20261116T000000Z (Unexpected end)"] }, { "damaged backups": "look" }],
    ["a hole in the log of the newest", { holes: { problems: [hole], sinceNewest: true } }, { log: "missing" }],
    ["a hole in an older log", { holes: { problems: [hole], sinceNewest: false } }, { log: "look" }],
    ["no log of changes", { archives: false }, { archive: "missing" }],
    ["the log is not archived", { archiveFails: true }, { archive: "missing" }],
  ])("%s", (_what, given, wanted) => {
    expect(verdictsOf(judgeBackups({ ...backups, ...given }))).toEqual(wanted);
  });
});

test("a certificate is looked at two weeks before its end", () => {
  expect(judgeCertificate(new Date("2026-12-02T09:00:00Z"), now).verdict).toBe("good");
  expect(judgeCertificate(new Date("2026-11-20T09:00:00Z"), now)).toMatchObject({
    verdict: "look",
    says: "The certificate ends in 3 days.",
  });
});

test("an address behind which nobody speaks TLS is named with the reason", async () => {
  const [found] = await lookAtAddress("https://localhost:1", now);
  expect(found).toMatchObject({ topic: "TLS", verdict: "missing", says: expect.stringContaining("ECONNREFUSED") });
  expect(await lookAtAddress("http://pay.example.com", now)).toEqual([]);
});

describe("the folder of old events", () => {
  const found = { othersMay: 0, isWritable: true, isInMemory: false };
  test.each<[string, ArchiveFacts["found"], string, string]>([
    ["as it should be", found, "good", "npm run backup does not have it"],
    ["not there", undefined, "missing", "There is no folder /srv/old."],
    ["of another account", { ...found, isWritable: false }, "missing", "/srv/old cannot be written."],
    ["open to others", { ...found, othersMay: 0o050 }, "missing", "Others than its owner may open /srv/old"],
    ["in memory", { ...found, isInMemory: true }, "missing", "/srv/old is kept in memory"],
  ])("%s", (_what, given, verdict, says) => {
    const folder = "/srv/old";
    const finding = judgeArchiveFolder(given === undefined ? { folder } : { folder, found: given });
    expect(finding).toMatchObject({ verdict, says: expect.stringContaining(says) });
  });

  test("is looked at as it is", async () => {
    const folder = mkdtempSync(join(tmpdir(), "jara-old-"));
    expect(await readArchiveFacts(folder)).toMatchObject({ found: { othersMay: 0, isWritable: true } });
    chmodSync(folder, 0o755);
    expect(await readArchiveFacts(folder)).toMatchObject({ found: { othersMay: 0o055 } });
    rmSync(folder, { recursive: true });
    expect(await readArchiveFacts(folder)).toEqual({ folder });
    expect((await readArchiveFacts("/dev/shm")).found?.isInMemory).toBe(process.platform === "linux");
  });
});
