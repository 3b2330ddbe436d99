/** The demo merchant of a first start: alive without being asked, once, and never in somebody's own sandbox. */
import { expect, test } from "vitest";
import { findFreePort } from "../../server/src/platform/embedded-postgres/postmaster.ts";
import { createTestDatabase } from "../../server/testing/database.ts";
import { runProgram } from "../crash/verify.ts";
import { childOf, connectTo, makeHome, type ServerProcess, startServer, stopServer } from "./server-process.ts";

async function prepare() {
  const { appUrl, ownerUrl } = await createTestDatabase(1);
  const home = makeHome();
  const place = { DATABASE_URL: appUrl, DATABASE_OWNER_URL: ownerUrl, JARA_HOME: home };
  const port = String(await findFreePort());
  const start = (demo: "on" | "off") =>
    startServer({ ...place, PORT: port, JARA_DEMO: demo, JARA_OUTPUT: "json", LOG_LEVEL: "debug" });
  return { home, start, verify: () => runProgram("verify-ledger.ts", place) };
}

/** Resolves when the server's log has the words; a demo that gives up does not keep us waiting. */
function says({ child, output, exit }: ServerProcess, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    exit.then(() => reject(new Error(output())));
    const look = (): void => {
      if (output().includes(words)) resolve();
      else if (output().includes("the demo merchant is not complete")) reject(new Error(output()));
    };
    child.stdout?.on("data", look);
    look();
  });
}

const finished = "the demo merchant has something to show";

test("a start that is killed again and again ends with one of each", { timeout: 600_000 }, async () => {
  const { home, start, verify } = await prepare();
  for (const words of [
    "a day of history",
    ...["branch", "tv", "openSession", "purchase"].map((step) => `"step":"${step}"`),
  ]) {
    const victim = start("on");
    await says(victim, words);
    process.kill(childOf(victim.child.pid), "SIGKILL");
    await victim.exit;
  }
  const heir = start("on");
  await says(heir, finished);
  const jara = connectTo(heir, home);
  const transfers = await jara.transfers.list({ limit: 100 }).toArray(1_000);
  expect(new Set(transfers.map(({ status }) => status))).toContain("failed");
  // Wages are paid on Fridays, of which sixty days have eight or nine.
  expect(transfers.filter(({ reference }) => reference.startsWith("demo-wages")).length).toBeGreaterThanOrEqual(40);
  const isToday = ({ reference }: { readonly reference: string }) => !/^demo-(wages-)?20/.test(reference);
  expect(transfers.filter(isToday)).toHaveLength(11);
  const bills = await jara.bills.list({ limit: 100 }).toArray(100);
  expect(
    bills
      .filter(isToday)
      .map(({ reference }) => reference)
      .sort(),
  ).toEqual(
    ["demo-airtime", "demo-airtime_FAIL", "demo-airtime_PENDING", "demo-data", "demo-decoder", "demo-meter"].sort(),
  );
  const loans = await jara.loans.list({ limit: 100 }).toArray(100);
  expect(loans.map(({ status }) => status).sort()).toEqual([
    "active",
    "active",
    "active",
    "cancelled",
    "completed",
    "completed",
    "overdue",
    "rejected",
  ]);
  expect(await jara.loans.bnpl.customers.list({ limit: 100 }).toArray(100)).toHaveLength(3);
  const { available } = await jara.wallets.getBalance();
  expect(available).toBeGreaterThan(1_000_000);
  await stopServer(heir);
  expect(await verify()).toContain("Differences: 0.");

  const later = start("on");
  await says(later, "the demo merchant has nothing to do");
  expect(await connectTo(later, home).transfers.list({ limit: 100 }).toArray(1_000)).toHaveLength(transfers.length);
  expect(later.output()).not.toContain('"step"');
  await stopServer(later);
});

test("a sandbox that its owner has used is left alone", async () => {
  const { home, start } = await prepare();
  const quiet = start("off");
  await quiet.ready;
  const order = { accountNumber: "0690000032", bankCode: "044", amount: 2_500, reference: "mine" };
  await connectTo(quiet, home).transfers.create(order);
  await stopServer(quiet);
  const next = start("on");
  await next.ready;
  await says(next, "the demo merchant has nothing to do");
  expect(await connectTo(next, home).transfers.list().toArray(10)).toHaveLength(1);
  expect(next.output()).not.toContain('"step"');
  await stopServer(next);
});
