/** Archived events from the command line: which are shown, and what is said about what cannot be read. */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { jara } from "../../testing/in-process.ts";

const damaged = 9;

const event = (position: number, createdAt: string, more: object = {}) => ({
  id: `e-${position}`,
  event: "transfer.completed",
  createdAt,
  resourceType: "transfer",
  resourceId: `t-${position}`,
  deliveries: [{ status: "delivered" }],
  ...more,
});
type Event = ReturnType<typeof event>;

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "jara-archived-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** As the server writes it. Returns the path of its events. */
function write(folder: string, events: readonly Event[], { environment = "env-a", first = 1 } = {}): string {
  const month = "2026-01";
  const packed = gzipSync(events.map((one) => `${JSON.stringify(one)}\n`).join(""));
  mkdirSync(join(folder, environment, month), { recursive: true });
  const stem = join(folder, environment, month, `events-${String(first).padStart(12, "0")}`);
  const manifest = {
    version: 1,
    environment,
    environmentKind: "LIVE",
    month,
    rows: events.length,
    firstPosition: first,
    lastPosition: first + events.length - 1,
    firstAt: events[0]?.createdAt,
    lastAt: events.at(-1)?.createdAt,
    bytes: packed.length,
    sha256: createHash("sha256").update(packed).digest("hex"),
    writtenAt: "2026-02-01T00:00:00.000Z",
  };
  writeFileSync(`${stem}.ndjson.gz`, packed);
  writeFileSync(`${stem}.json`, JSON.stringify(manifest));
  return `${stem}.ndjson.gz`;
}

const three = [
  event(1, "2026-01-10T08:00:00.000Z"),
  event(2, "2026-01-20T08:00:00.000Z", { event: "bill.failed", deliveries: [] }),
  event(3, "2026-01-30T08:00:00.000Z"),
];
const idsOf = (out: string) => [...out.matchAll(/\be-\d+/g)].map(([id]) => id);

describe("reading", () => {
  test("shows every event in order, with what became of it", async () => {
    const folder = emptyFolder();
    write(folder, three);
    const { code, out, asked } = await jara(`archive read --folder ${folder}`);
    expect(code).toBe(0);
    expect(idsOf(out)).toEqual(["e-1", "e-2", "e-3"]);
    expect(out.split("\n")[0]).toContain("transfer t-1  delivered");
    expect(out.split("\n")[1]).toContain("sent to no endpoint");
    // Old events are read without a server.
    expect(asked).toEqual([]);
  });

  test.each([
    ["--event bill.failed", ["e-2"]],
    ["--id e-3", ["e-3"]],
    ["--id t-1", ["e-1"]],
    ["--from 2026-01-20", ["e-2", "e-3"]],
    ["--to 2026-01-20", ["e-1"]],
    ["--from 2026-01-20T08:00:00Z --to 2026-01-30T08:00:00Z", ["e-2"]],
    ["--from 2026-01-20T08:00:00.001Z", ["e-3"]],
    ["--from 2026-01-20T09:00:00+01:00 --to 2026-01-21", ["e-2"]],
  ])("with %s finds %j", async (words, ids) => {
    const folder = emptyFolder();
    write(folder, three);
    const { out } = await jara(`archive read --folder ${folder} ${words}`);
    expect(idsOf(out)).toEqual(ids);
  });

  test("of one environment leaves the others alone", async () => {
    const folder = emptyFolder();
    write(folder, [event(1, "2026-01-10T08:00:00.000Z")]);
    write(folder, [event(7, "2026-01-10T08:00:00.000Z")], { environment: "env-b" });
    expect(idsOf((await jara(`archive read --folder ${folder} --environment env-b`)).out)).toEqual(["e-7"]);
  });

  test("as JSON gives each line as it was written", async () => {
    const folder = emptyFolder();
    write(folder, three);
    const { out } = await jara(`archive read --folder ${folder} --json`);
    expect(
      out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(three);
  });

  test("that finds nothing says so, and to a script nothing", async () => {
    const folder = emptyFolder();
    write(folder, three);
    expect((await jara(`archive read --folder ${folder} --id t-9`)).err).toBe("No archived event fits.\n");
    const silent = await jara(`archive read --folder ${folder} --id t-9 --json`);
    expect([silent.code, silent.out, silent.err]).toEqual([0, "", ""]);
  });

  test("tells what is damaged by its own code, and does not say that nothing fits", async () => {
    const folder = emptyFolder();
    writeFileSync(write(folder, three), "rubbish");
    const { code, out, err } = await jara(`archive read --folder ${folder}`);
    expect([code, out]).toEqual([damaged, ""]);
    expect(err).toContain("What the others have is not known:");
    expect(err).toContain("is damaged: it is not what was written.");
  });
});

describe("a moment", () => {
  beforeEach(() => void vi.stubEnv("TZ", "America/New_York"));
  afterEach(() => void vi.unstubAllEnvs());

  test.each([
    ["2026-01-20T08:00:00", ["e-2", "e-3"]],
    ["2026-01-20T08:00", ["e-2", "e-3"]],
    ["2026-01-20T08:00:01", ["e-3"]],
  ])("without a zone is one of UTC, wherever the machine stands: %s", async (from, ids) => {
    const folder = emptyFolder();
    write(folder, three);
    expect(idsOf((await jara(`archive read --folder ${folder} --from ${from}`)).out)).toEqual(ids);
  });

  test.each(["2026-02-31", "2026-13-01", "31.01.2026", "yesterday", "2026-01-20x", "2026-01-20T25:00", "2026-1-2"])(
    "%s is none, and nothing is read",
    async (from) => {
      const { code, err } = await jara(["archive", "read", "--folder", "/", "--from", from]);
      expect(code).toBe(2);
      expect(err).toContain("A day such as 2026-01-31, or a moment such as 2026-01-31T08:00:00Z.");
    },
  );
});

describe("the list", () => {
  test("has a line for each file with how much is in it", async () => {
    const folder = emptyFolder();
    write(folder, three);
    write(folder, [event(4, "2026-01-31T08:00:00.000Z")], { first: 4 });
    const { code, out } = await jara(`archive list --folder ${folder}`);
    expect(code).toBe(0);
    expect(out.trim().split("\n")).toHaveLength(3);
    expect(out).toMatch(/env-a +LIVE +2026-01 +3 .* 1 KiB/);
  });

  test("looks into the files only when asked: that takes time", async () => {
    const folder = emptyFolder();
    const path = write(folder, three);
    // The same size, other bytes.
    const { out: listed } = await jara(`archive list --folder ${folder} --json`);
    const [{ bytes }] = JSON.parse(listed) as [{ readonly bytes: number }];
    writeFileSync(path, Buffer.alloc(bytes));
    expect((await jara(`archive list --folder ${folder}`)).code).toBe(0);
    const verified = await jara(`archive list --folder ${folder} --verify`);
    expect([verified.code, verified.err]).toEqual([damaged, expect.stringContaining("is damaged")]);
  });

  test("says what is missing between its files", async () => {
    const folder = emptyFolder();
    write(folder, [event(5, "2026-01-31T08:00:00.000Z")], { first: 5 });
    const { code, err } = await jara(`archive list --folder ${folder}`);
    expect([code, err]).toEqual([damaged, expect.stringContaining("Events 1 to 4 of env-a are missing.")]);
  });

  test("of an empty folder says that it is empty", async () => {
    expect((await jara(`archive list --folder ${emptyFolder()}`)).out).toBe("The archive is empty.\n");
  });
});

test("the folder may stand in the environment; one that is named counts more", async () => {
  const [named, set] = [emptyFolder(), emptyFolder()];
  write(set, three);
  const env = { JARA_ARCHIVE_FOLDER: set };
  expect(idsOf((await jara("archive read", { env })).out)).toHaveLength(3);
  expect(idsOf((await jara(`archive read --folder ${named}`, { env })).out)).toHaveLength(0);
});

test.each([
  ["none is named", "archive list", "Say where the archive is: --folder, or JARA_ARCHIVE_FOLDER."],
  ["it is not there", "archive list --folder /no/such/place", "There is no folder /no/such/place."],
])("without a folder nothing is read: %s", async (_case, words, says) => {
  const { code, err } = await jara(words);
  expect([code, err]).toEqual([2, expect.stringContaining(says)]);
});
