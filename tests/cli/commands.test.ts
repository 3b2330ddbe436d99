/** Every command with a server that is there: what it prints for people, and what for scripts. */
import { describe, expect, test } from "vitest";
import { createCommandWorld } from "./world.ts";

const { jara, sdk } = await createCommandWorld();

async function json(...words: string[]) {
  const { code, out, err } = await jara.call(...words, "--json");
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
}

describe("payouts", () => {
  const payout = ["--bank", "058", "--account", "0123456789", "--amount", "2500.50"];

  test("are made, waited for, listed and shown by reference", async () => {
    const made = await json("transfers", "create", ...payout, "--reference", "cli-1", "--wait");
    expect(made).toMatchObject({ status: "completed", amount: 2500.5, reference: "cli-1" });
    const shown = await jara.call("transfers", "show", "cli-1");
    expect(shown.out).toContain("NGN 2,500.50");
    expect(shown.out).toContain(made.id);
    expect((await json("transfers", "show", made.id)).reference).toBe("cli-1");
    const listed = await jara.call("transfers", "list");
    expect(listed.out).toMatch(/completed\s+2,500\.50\s+Guaranty Trust Bank\s+0123456789\s+cli-1/);
    expect(await json("transfers", "list", "--status", "failed")).toEqual([]);
  });

  test("say why the bank refused", async () => {
    const { code, out } = await jara.run("transfers", "create", ...payout, "--reference", "cli-2_FAIL", "--wait");
    expect(code).toBe(8);
    expect(out).toMatch(/status\s+failed/);
    expect(out).toMatch(/why\s+.*nip_05/);
  });

  test("by pay without a terminal need everything and a yes", async () => {
    expect(await jara.run("pay")).toMatchObject({ code: 2, err: expect.stringContaining("no terminal to ask at") });
    const unasked = await jara.call("pay", ...payout);
    expect(unasked).toMatchObject({ code: 2, err: expect.stringContaining("Add --yes") });
    const paid = await jara.run("pay", ...payout, "--yes");
    expect(paid.code).toBe(0);
    expect(paid.err).toMatch(/NGN 2,500\.50, and a fee of NGN \d/);
    expect(paid.out).toMatch(/status\s+completed/);
  });
});

test("airtime is bought and found again", async () => {
  const words = ["--network", "MTN", "--phone", "08031234567", "--amount", "500", "--reference", "cli-air"];
  expect(await json("bills", "airtime", ...words)).toMatchObject({ status: "successful" });
  expect((await jara.call("bills", "list")).out).toMatch(/successful\s+500\.00/);
  expect((await jara.call("bills", "show", "cli-air")).out).toContain("+2348031234567");
});

test("wallets are shown and funded", async () => {
  expect((await jara.call("wallets", "fund", "1000")).out).toContain("NGN 1,000.00");
  expect((await jara.call("wallets", "show")).out).toMatch(/\+1,000\.00/);
  expect((await json("wallets", "list"))[0]).toMatchObject({ currency: "NGN" });
});

describe("loans and customers", () => {
  test("are priced, listed and shown", async () => {
    const quoted = await jara.call("loans", "quote", "--amount", "50000", "--tenure", "3");
    expect(quoted.out).toMatch(/to repay\s+NGN \d/);
    const made = await json("trigger", "loan.disbursed");
    const id = made.data.loanRequest.id;
    expect((await jara.call("loans", "list")).out).toContain(id);
    const shown = await jara.call("loans", "show", id);
    expect(shown.out).toMatch(/NO\s+DUE\s+NAIRA\s+STATUS/);
  });

  test("a customer is found", async () => {
    const { id } = await sdk.loans.bnpl.customers.create({
      firstName: "Adaeze",
      lastName: "Okafor",
      email: "ada@example.com",
      phone: "08031234567",
      bvn: "22123456789",
    });
    expect((await jara.call("customers", "list")).out).toContain("Adaeze Okafor");
    expect((await jara.call("customers", "show", id)).out).toMatch(/identity\s+verified/);
  });
});

describe("the clock", () => {
  test("is shown and moved", async () => {
    expect((await jara.call("clock", "show")).out).toContain("runs");
    const moved = await json("clock", "advance", "2d");
    expect(Date.parse(moved.to) - Date.parse(moved.from)).toBe(2 * 86_400_000);
  });

  test("is stopped at a moment, with a seed, and let run", async () => {
    const at = "2027-03-01T08:00:00.000Z";
    expect(await json("clock", "freeze", "--at", at, "--seed", "cli")).toMatchObject({ now: at, seed: "cli" });
    expect((await jara.call("clock", "show")).out).toContain("stands still");
    expect(await json("clock", "run")).toMatchObject({ mode: "running" });
    expect((await jara.call("clock", "advance", "soon")).code).toBe(2);
  });
});

test("messages are listed", async () => {
  expect((await jara.call("messages")).code).toBe(0);
});

test("events are listed and shown with their deliveries", async () => {
  const { id } = await json("trigger", "transfer.completed");
  expect((await jara.call("events", "list", "--event", "transfer.completed", "--limit", "1")).out).toContain(id);
  const shown = await jara.call("events", "show", id);
  expect(shown.out).toContain('"status": "completed"');
  expect(shown.out).toContain("It went to no endpoint.");
});

test("the doctor finds nothing", async () => {
  const { code, out } = await jara.run("doctor");
  expect(out).toContain("✓ server");
  expect(out).toContain("✓ key");
  expect(code).toBe(0);
});
