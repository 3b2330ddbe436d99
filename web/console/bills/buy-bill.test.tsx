import { expect, test } from "vitest";
import { button, hasButton, press, shown, type } from "../../testing/draw.tsx";
import { type Asked, brokenLine, refuse, replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { BuyBill } from "./buy-bill.tsx";

const lists = {
  [`GET ${door}/bills/networks`]: () => [{ code: "MTN", name: "MTN Nigeria" }],
  [`GET ${door}/bills/electricity/list`]: () => [{ code: "ikeja-electric", name: "Ikeja Electric" }],
};
const bodies = (asked: readonly Asked[], end: string) =>
  asked.filter(({ path }) => path.endsWith(end)).map(({ body }) => body as Record<string, unknown>);

async function airtime({ amount = "500", phone = "08031234567" } = {}) {
  if (hasButton("Buy a bill")) await press("Buy a bill");
  await expect.poll(shown).toContain("MTN Nigeria");
  await type("Phone number", phone);
  await type("Amount in naira", amount);
  await press("Check");
}

test("airtime goes to a number, whoever has it, and nothing is bought before the last press", async () => {
  const asked = replyWith({ ...lists, [`POST ${door}/bills/airtime/vend`]: () => ({ id: "b-1" }) });
  const place = await drawInConsole(<BuyBill />, { kind: "LIVE" });
  await airtime({ amount: "₦1,500.50" });
  expect(shown()).toContain("Not asked for");
  expect(shown()).toContain("₦1,500.50");
  expect(bodies(asked, "/vend")).toEqual([]);
  await press("Buy");
  await expect.poll(place).toBe("/env-1/bills/b-1");
  expect(bodies(asked, "/vend")).toMatchObject([{ network: "MTN", phoneNumber: "08031234567", amount: 1500.5 }]);
});

test("who goes back after a broken line and orders the same again buys under the same reference", async () => {
  const asked = replyWith({ ...lists, [`POST ${door}/bills/airtime/vend`]: brokenLine });
  await drawInConsole(<BuyBill />);
  await airtime();
  await press("Buy");
  await expect.poll(shown).toContain("We could not reach the server.");
  await press("Back");
  await airtime();
  await press("Buy");
  await expect.poll(() => bodies(asked, "/vend")).toHaveLength(2);
  const [first, second] = bodies(asked, "/vend");
  expect(second).toEqual(first);
});

test("another number is another bill", async () => {
  const asked = replyWith({ ...lists, [`POST ${door}/bills/airtime/vend`]: brokenLine });
  await drawInConsole(<BuyBill />);
  await airtime();
  await press("Buy");
  await press("Back");
  await airtime({ phone: "08039999999" });
  await press("Buy");
  await expect.poll(() => bodies(asked, "/vend")).toHaveLength(2);
  const [first, second] = bodies(asked, "/vend");
  expect(second?.["reference"]).not.toBe(first?.["reference"]);
});

test("a meter's owner is asked for first, and shown", async () => {
  const asked = replyWith({
    ...lists,
    [`POST ${door}/bills/electricity/validate`]: () => ({ customerName: "ADA OBI" }),
    [`POST ${door}/bills/electricity/vend`]: () => ({ id: "b-2" }),
  });
  await drawInConsole(<BuyBill />);
  await press("Buy a bill");
  await type("What", "electricity");
  await expect.poll(shown).toContain("Ikeja Electric");
  await type("Meter number", "45012345678");
  await type("Phone number", "08031234567");
  await type("Amount in naira", "5000");
  await press("Check");
  await expect.poll(shown).toContain("ADA OBI");
  expect(bodies(asked, "/validate")).toEqual([
    { provider: "ikeja-electric", meterNumber: "45012345678", meterType: "prepaid" },
  ]);
});

test("a meter that nobody has stops the order, and the form can be corrected", async () => {
  const refused = () => refuse(422, "customer_not_found", { message: "Nobody has this meter." });
  const asked = replyWith({ ...lists, [`POST ${door}/bills/electricity/validate`]: refused });
  await drawInConsole(<BuyBill />);
  await press("Buy a bill");
  await type("What", "electricity");
  await expect.poll(shown).toContain("Ikeja Electric");
  await type("Meter number", "1");
  await type("Phone number", "08031234567");
  await type("Amount in naira", "5000");
  await press("Check");
  await expect.poll(shown).toContain("Nobody has this meter.");
  expect(button("Check")).toHaveProperty("disabled", false);
  expect(bodies(asked, "/vend")).toEqual([]);
});

test("what is not an amount is shown as it was typed", async () => {
  replyWith(lists);
  await drawInConsole(<BuyBill />);
  await airtime({ amount: "5k" });
  expect(shown()).toContain("Amount5k");
});

test("a list that cannot be fetched says so beside its field", async () => {
  replyWith({});
  await drawInConsole(<BuyBill />);
  await press("Buy a bill");
  await expect.poll(shown).toContain("This list could not be fetched.");
});
