/** Plays the examples of README and guides against a running server: what people copy must work. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findFreePort, makeHome, projectRoot, type ServerProcess, startServer, stopServer } from "./server-process.ts";

const folder = makeHome();
let server: ServerProcess;

beforeAll(async () => {
  const port = await findFreePort();
  server = startServer({ JARA_HOME: join(folder, ".jara"), PORT: String(port) });
  await server.ready;
});

afterAll(() => stopServer(server));

/** The shell examples of a page; those that start or test the project are left out. */
function examplesOf(page: string): string[] {
  const text = readFileSync(join(projectRoot, page), "utf8");
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
  return blocks.filter((block) => block.includes("curl") || block.includes("BASE="));
}

const variables = examplesOf("README.md")[0]?.split("\n\n")[0] ?? "";

/** Runs an example as it stands and returns what it printed, one line a request. */
function run(example: string): { status: unknown; data: Record<string, unknown> }[] {
  // Pages show replies as they come; here each goes on a line of its own.
  const script = `${variables}\n${example}`.replaceAll("curl -s ", "curl -s -w '\\n' ");
  const printed = execFileSync("bash", ["-eu", "-c", script], { cwd: folder, encoding: "utf8" });
  return printed
    .trim()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

test("README's first requests show the funded wallet, and pay", () => {
  const replies = examplesOf("README.md").flatMap(run);
  expect(replies.filter(({ status }) => status !== true && status !== "success")).toEqual([]);
  const [balance, payout, verified, , bill, told, loan] = replies;
  expect(balance?.data["available"]).toBe(1_000_000);
  expect(payout?.data).toMatchObject({ reference: "order-1", amount: 2500, status: "pending" });
  expect(verified?.data["id"]).toBe(payout?.data["id"]);
  expect(told?.data["id"]).toBe(bill?.data["id"]);
  expect(loan?.data).toMatchObject({ amount: 50_000, status: "pending" });
});

test.each(["docs/guides/sandbox.md", "docs/guides/webhooks.md", "docs/guides/checkout.md"])(
  "the examples of %s work",
  (page) => {
    const replies = examplesOf(page).flatMap(run);
    expect(replies.length).toBeGreaterThan(1);
    const refused = replies.filter(({ status }) => status !== true && status !== "success");
    expect(refused).toEqual([]);
  },
);
