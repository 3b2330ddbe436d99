/** Where everything of a cluster is, and what is told about a run. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  dataFolderOf,
  frontUrl,
  keepLayout,
  logFileOf,
  ownerUrl,
  planLayout,
  readLayout,
  serverUrl,
} from "./layout.ts";
import { failuresOf, type Machine, replaceResults, resultsOf } from "./report.ts";

const folder = join(mkdtempSync(join(tmpdir(), "jara-layout-")), "cluster");
afterAll(() => rmSync(join(folder, ".."), { recursive: true }));

const layout = await planLayout({ folder, postgres: "embedded", etcdMembers: 3 });

describe("a plan", () => {
  test("has three nodes, two servers and two workers, each with a name of its own", () => {
    const names = [...layout.etcd, ...layout.nodes, ...layout.processes].map(({ name }) => name);
    expect(names.join(" ")).toBe("etcd1 etcd2 etcd3 node1 node2 node3 api1 api2 worker1 worker2");
  });

  test("with one member of etcd has one, and everything else as before", async () => {
    const small = await planLayout({ folder, postgres: "embedded", etcdMembers: 1 });
    expect([small.etcd.length, small.nodes.length, small.processes.length]).toEqual([1, 3, 4]);
  });

  test("has secrets that nobody could guess, and two plans have different ones", async () => {
    const other = await planLayout({ folder, postgres: "embedded", etcdMembers: 1 });
    const secrets = [layout, other].flatMap((one) => [one.ownerPassword, one.replicationPassword]);
    expect(new Set(secrets).size).toBe(4);
    for (const secret of secrets) expect(secret).toMatch(/^[0-9a-f]{36}$/);
  });
});

test("a layout is kept where only its owner reads it, and comes back as it was", () => {
  expect(readLayout(folder)).toBeUndefined();
  keepLayout(layout);
  const file = join(folder, "cluster.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readLayout(folder)).toEqual(layout);
  expect(existsSync(file)).toBe(true);
  expect(readFileSync(file, "utf8").endsWith("\n")).toBe(true);
});

test("addresses lead to the writer unless another port is named, each under its own login", () => {
  expect(new URL(ownerUrl(layout))).toMatchObject({
    username: "jara_owner",
    port: String(layout.ports.writer),
    pathname: "/jara",
  });
  expect(new URL(ownerUrl(layout, layout.ports.pooler, "pgbouncer"))).toMatchObject({
    port: String(layout.ports.pooler),
    pathname: "/pgbouncer",
  });
  const server = new URL(serverUrl(layout, 5_432));
  expect(server.username).toBe("jara_server");
  expect(server.password).not.toBe(layout.ownerPassword);
  expect(frontUrl(layout)).toBe(`http://127.0.0.1:${layout.ports.front}`);
});

test("each part has its own folder and log", () => {
  const [first, second] = layout.nodes;
  if (first === undefined || second === undefined) return expect.fail("there are no nodes");
  expect(dataFolderOf(layout, first)).toBe(join(folder, "node1", "data"));
  expect(dataFolderOf(layout, second)).not.toBe(dataFolderOf(layout, first));
  expect(logFileOf(folder, "api1")).toBe(join(folder, "logs", "api1.log"));
});

const machine: Machine = {
  cores: 4,
  memoryGib: 16,
  system: "Linux",
  commit: "abc1234",
  date: "2026-11-17",
  postgres: "18.1",
  etcdMembers: 1,
};
const played = {
  drill: { name: "kill-primary", title: "The primary is killed" },
  requests: 1_200,
  acknowledged: 1_180,
  failures: new Map([
    ["503 unavailable", 12],
    ["no reply: ECONNRESET", 3],
  ]),
  longestGapSeconds: 4.2,
  contradictions: [] as string[],
  remarks: ["The new primary is node2."],
} as never;

describe("the report of a run", () => {
  test("has a row for each drill, with what did not succeed by its kind", () => {
    const text = resultsOf(machine, [played]);
    expect(text).toContain(
      "| `kill-primary` | The primary is killed | 1200 | 1180 | 12 × 503 unavailable, 3 × no reply: ECONNRESET | 4.2 s | none |",
    );
    expect(text).toContain("- `kill-primary`: The new primary is node2.");
    expect(text).toContain("1 member.");
    expect(text).not.toContain("What was wrong");
  });

  test("names what was wrong, the first ten of it, and counts all", () => {
    const contradictions = Array.from({ length: 12 }, (_, at) => `payout ${at} was paid twice`);
    const text = resultsOf({ ...machine, etcdMembers: 3 }, [{ ...(played as object), contradictions } as never]);
    expect(text).toContain("| 12 |");
    expect(text.match(/was paid twice/g)).toHaveLength(10);
    expect(text).toContain("3 members.");
  });

  test("without failures says none of them", () => {
    expect(failuresOf(new Map())).toBe("0");
  });

  test("is put in the place of the one before, and only there", () => {
    const document = `# Cluster\n\n${resultsOf(machine, [])}\n\nAfter.\n`;
    const next = replaceResults(document, resultsOf({ ...machine, commit: "def5678" }, [played]));
    expect(next).toContain("def5678");
    expect(next).not.toContain("abc1234");
    expect(next.startsWith("# Cluster\n")).toBe(true);
    expect(next.endsWith("\n\nAfter.\n")).toBe(true);
  });

  test.each(["", "no place", "<!-- end of results -->"])("needs a place in the document (%j)", (document) => {
    expect(() => replaceResults(document, "x")).toThrow("has no place for results");
  });
});
