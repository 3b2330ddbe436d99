/** `jara trace` as a process of its own. */
import { expect, test } from "vitest";
import { createCommandWorld } from "./world.ts";

const { jara, sdk } = await createCommandWorld();

async function pay(reference: string): Promise<string> {
  const payout = { accountNumber: "0123456789", bankCode: "058", amount: 2500, currency: "NGN" } as const;
  const { id } = await sdk.transfers.create({ ...payout, reference });
  await sdk.transfers.waitUntilFinal(id);
  return id;
}

test("a payout's story is drawn step by step, with the time between the steps", async () => {
  const id = await pay("traced");
  const { code, out } = await jara.call("trace", id);
  expect(code).toBe(0);
  const lines = out.trimEnd().split("\n");
  expect(lines[0]).toBe(`transfer ${id}`);
  expect(out).toMatch(/├─ ✓ \+\d+m?s +posting: Money moved: transfer\.held\n│ {6}held 25\d\d/);
  expect(out).toMatch(/✓ \+\d+m?s +rail: Confirmed by the bank/);
  expect(lines.filter((line) => line.startsWith("└─"))).toHaveLength(1);
  expect(out).not.toContain("0123456789");
});

test("a reference of yours is enough", async () => {
  const id = await pay("order-1042");
  expect((await jara.call("trace", "order-1042")).out.split("\n")[0]).toBe(`transfer ${id}`);
  expect(await jara.call("trace", "nobody's")).toMatchObject({ code: 5, out: "" });
});

test("what went wrong is marked and says why", async () => {
  const { out } = await jara.call("trace", await pay("traced_FAIL"));
  expect(out).toMatch(/✗ \+\d+m?s +rail: Refused by the bank\n.*code=nip_/);
});

test("--json is the trace as the SDK returns it", async () => {
  const id = await pay("traced-json");
  const { code, out } = await jara.run("trace", id, "--json");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual(await sdk.traces.get(id));
});

test("an id that nobody has is refused, and the help has an example", async () => {
  const refused = await jara.call("trace", "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11");
  expect(refused).toMatchObject({ code: 5, out: "", err: expect.stringContaining("not_found") });
  expect(await jara.call("trace")).toMatchObject({ code: 2 });
  expect((await jara.call("trace", "--help")).out).toContain("$ jara trace ");
});
