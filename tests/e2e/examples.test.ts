/** Plays the shell examples of README, guides and runbooks against a running server: what people copy must work. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findFreePort } from "../../server/src/platform/embedded-postgres/postmaster.ts";
import { documents, runnable } from "../document/fenced-blocks.ts";
import { makeHome, type ServerProcess, startServer, stopServer } from "./server-process.ts";

const folder = makeHome();
let server: ServerProcess;

beforeAll(async () => {
  const port = await findFreePort();
  server = startServer({ JARA_HOME: join(folder, ".jara"), PORT: String(port) });
  await server.ready;
});

afterAll(() => stopServer(server));

/** As README and the runbook tell a reader to set them. */
const variables = `${runnable("README.md", "sh")[0]?.split("\n\n")[0] ?? ""}
OPERATOR=$(node -p "require('./.jara/dev.json').operatorToken")`;

/** Runs the examples of a page as they stand, in one shell, and returns the replies that were printed. */
function run(page: string): { status: unknown; data: Record<string, unknown> }[] {
  // Pages show replies as they come; here each goes on a line of its own.
  const script = [variables, ...runnable(page, "sh")].join("\n").replaceAll("curl -s ", "curl -s -w '\\n' ");
  const printed = execFileSync("bash", ["-eu", "-c", script], { cwd: folder, encoding: "utf8" });
  // A statement as CSV begins with its columns.
  const lines = printed.split("\n").filter((line) => line.startsWith("{"));
  return lines.map((line) => JSON.parse(line));
}

const refusedOf = (replies: readonly { status: unknown }[]) =>
  replies.filter(({ status }) => status !== true && status !== "success");

test("README's first requests show the funded wallet, and pay", () => {
  const replies = run("README.md");
  expect(refusedOf(replies)).toEqual([]);
  const [balance, payout, verified, , bill, told, loan] = replies;
  expect(balance?.data["available"]).toBe(1_000_000);
  expect(payout?.data).toMatchObject({ reference: "order-1", amount: 2500, status: "pending" });
  expect(verified?.data["id"]).toBe(payout?.data["id"]);
  expect(told?.data["id"]).toBe(bill?.data["id"]);
  expect(loan?.data).toMatchObject({ amount: 50_000, status: "pending" });
});

/** It has a test of its own, with the providers' twins: going-live.campaign.ts. */
const walkedApart = "docs/guides/going-live.md";

const others = documents.filter((page) => page !== "README.md" && page !== walkedApart);

test.each(others.filter((page) => runnable(page, "sh").length > 0))("the examples of %s work", (page) => {
  const replies = run(page);
  expect(replies.length).toBeGreaterThan(0);
  expect(refusedOf(replies)).toEqual([]);
});
