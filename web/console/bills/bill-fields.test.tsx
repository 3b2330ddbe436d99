/** What each kind of bill asks for, and the order that comes of it. */
import { expect, test } from "vitest";
import { button, describedBy, field, hasButton, press, settle, shown, type } from "../../testing/draw.tsx";
import { type Asked, brokenLine, held, refuse, replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { queryOf } from "../testing/lists.ts";
import { BuyBill } from "./buy-bill.tsx";

const plans: Readonly<Record<string, readonly object[]>> = {
  MTN: [{ planCode: "mtn-1gb", name: "1 GB", amount: 500 }],
  GLO: [
    { planCode: "glo-2gb", name: "2 GB", amount: 800 },
    { planCode: "glo-9gb", name: "9 GB", amount: 2_500.5 },
  ],
};
const lists = {
  [`GET ${door}/bills/networks`]: () => [
    { code: "MTN", name: "MTN Nigeria" },
    { code: "GLO", name: "Glo" },
  ],
  [`GET ${door}/bills/data/list`]: (asked: Asked) => plans[queryOf(asked)["network"] ?? ""] ?? [],
  [`GET ${door}/bills/tv/list`]: () => [
    { packageCode: "dstv-yanga", provider: "dstv", name: "Yanga", amount: 6_000 },
    { packageCode: "dstv-padi", provider: "dstv", name: "Padi", amount: 4_400 },
    { packageCode: "gotv-max", provider: "gotv", name: "GOtv Max", amount: 8_500 },
  ],
  [`GET ${door}/bills/betting/list`]: () => [{ code: "bet9ja", name: "Bet9ja" }],
  [`GET ${door}/bills/electricity/list`]: () => [{ code: "ikeja-electric", name: "Ikeja Electric" }],
};
const options = (label: string) => [...(field(label) as HTMLSelectElement).options].map(({ text }) => text);
const posts = (asked: readonly Asked[]) =>
  asked.filter(({ method }) => method === "POST").map(({ path, body }) => [path.slice(door.length), body]);

async function open(category: string, replies: Readonly<Record<string, (asked: Asked) => unknown>> = {}) {
  const asked = replyWith({ ...lists, ...replies });
  const place = await drawInConsole(<BuyBill />);
  await press("Buy a bill");
  await type("What", category);
  return { asked, place };
}

test("plans of data are those of the chosen network, with their prices", async () => {
  await open("data");
  await expect.poll(() => options("Plan")).toEqual(["1 GB, ₦500.00"]);
  await type("Network", "GLO");
  await expect.poll(() => options("Plan")).toEqual(["2 GB, ₦800.00", "9 GB, ₦2,500.50"]);
});

test("data is bought by its plan, and no amount goes along", async () => {
  const { asked, place } = await open("data", { [`POST ${door}/bills/data/vend`]: () => ({ id: "b-9" }) });
  await expect.poll(() => options("Plan")).toEqual(["1 GB, ₦500.00"]);
  await type("Phone number", "08031234567");
  await press("Check");
  expect(shown()).toContain("The plan's price");
  await press("Buy");
  await expect.poll(place).toBe("/env-1/bills/b-9");
  expect(posts(asked)).toEqual([
    [
      "/bills/data/vend",
      {
        network: "MTN",
        phoneNumber: "08031234567",
        planCode: "mtn-1gb",
        reference: expect.stringMatching(/^console-/),
      },
    ],
  ]);
});

test("a smart card is asked about first; packages are those of its provider", async () => {
  const { asked } = await open("tv", {
    [`POST ${door}/bills/tv/validate`]: () => ({ customerName: "ADA <i>OBI</i>" }),
    [`POST ${door}/bills/tv/vend`]: () => ({ id: "b-2" }),
  });
  await expect.poll(() => options("Package")).toEqual(["Yanga, ₦6,000.00", "Padi, ₦4,400.00"]);
  await type("Provider", "gotv");
  expect(options("Package")).toEqual(["GOtv Max, ₦8,500.00"]);
  await type("Smart card number", "7023456789");
  await type("Phone number", "08031234567");
  await press("Check");
  await expect.poll(shown).toContain("ADA <i>OBI</i>");
  expect(document.querySelector("i")).toBeNull();
  await press("Buy");
  await expect.poll(() => posts(asked)).toHaveLength(2);
  expect(posts(asked)).toEqual([
    ["/bills/tv/validate", { provider: "gotv", smartCardNumber: "7023456789" }],
    [
      "/bills/tv/vend",
      {
        provider: "gotv",
        smartCardNumber: "7023456789",
        packageCode: "gotv-max",
        subscriptionType: "change",
        phoneNumber: "08031234567",
        reference: expect.any(String),
      },
    ],
  ]);
});

test("a bookmaker's customer is asked about, and paid an amount", async () => {
  const { asked } = await open("betting", {
    [`POST ${door}/bills/betting/validate`]: () => ({ customerName: "ADA OBI" }),
    [`POST ${door}/bills/betting/vend`]: () => ({ id: "b-3" }),
  });
  await expect.poll(() => options("Bookmaker")).toEqual(["Bet9ja"]);
  await type("Customer id", " 998877 ");
  await type("Amount in naira", "₦2,500");
  await press("Check");
  await press("Buy");
  await expect.poll(() => posts(asked)).toHaveLength(2);
  expect(posts(asked)[1]?.[1]).toMatchObject({ provider: "bet9ja", customerId: "998877", amount: 2_500 });
});

test("a postpaid meter is asked about as such", async () => {
  const { asked } = await open("electricity", {
    [`POST ${door}/bills/electricity/validate`]: () => ({ customerName: "ADA OBI" }),
  });
  await expect.poll(() => options("Company")).toEqual(["Ikeja Electric"]);
  await type("Meter type", "postpaid");
  await type("Meter number", "45012345678");
  await type("Phone number", "08031234567");
  await type("Amount in naira", "5000");
  await press("Check");
  await expect.poll(() => posts(asked)).toHaveLength(1);
  expect(posts(asked)[0]?.[1]).toMatchObject({ meterType: "postpaid" });
});

test("another kind of bill begins with empty fields", async () => {
  await open("electricity");
  await type("Meter number", "45012345678");
  await type("What", "betting");
  await type("What", "electricity");
  expect(field("Meter number").value).toBe("");
});

test("until a list is there its field says so, and cannot be sent", async () => {
  const { reply, give } = held();
  await open("betting", { [`GET ${door}/bills/betting/list`]: () => reply });
  expect(options("Bookmaker")).toEqual(["One moment"]);
  expect((field("Bookmaker") as HTMLSelectElement).checkValidity()).toBe(false);
  await settle(() => give([{ code: "bet9ja", name: "Bet9ja" }]));
  await expect.poll(() => options("Bookmaker")).toEqual(["Bet9ja"]);
});

test("a list that is away is said at its field", async () => {
  await open("tv", { [`GET ${door}/bills/tv/list`]: () => refuse(503, "unavailable") });
  await expect.poll(() => describedBy(field("Package"))).toContain("This list could not be fetched.");
  expect(field("Package").getAttribute("aria-invalid")).toBe("true");
});

test.each([
  ["₦2,500", 2_500],
  ["2500.5", 2_500.5],
  ["0", 0],
])("an amount of %s goes as %d", async (typed, sent) => {
  const { asked } = await open("airtime", { [`POST ${door}/bills/airtime/vend`]: brokenLine });
  await expect.poll(() => options("Network")).toContain("Glo");
  await type("Phone number", "08031234567");
  await type("Amount in naira", typed);
  await press("Check");
  await press("Buy");
  await expect.poll(() => posts(asked)).toHaveLength(1);
  expect(posts(asked)[0]?.[1]).toMatchObject({ amount: sent });
});

test.each(["-1", "2500,50", "5k", "1e3"])(
  "what is no amount (%s) goes as none, and the server says so",
  async (typed) => {
    const errors = [{ field: "amount", message: "must be a number" }];
    const { asked } = await open("airtime", {
      [`POST ${door}/bills/airtime/vend`]: () => refuse(422, "validation_failed", { message: "Check it.", errors }),
    });
    await expect.poll(() => options("Network")).toContain("Glo");
    await type("Phone number", "08031234567");
    await type("Amount in naira", typed);
    await press("Check");
    expect(shown()).toContain(`Amount${typed}`);
    await press("Buy");
    await expect.poll(shown).toContain("Amount: must be a number");
    expect(posts(asked)[0]?.[1]).toMatchObject({ amount: null });
  },
);

test("a second press while the first is on its way buys nothing more", async () => {
  const { reply, give } = held();
  const { asked, place } = await open("airtime", { [`POST ${door}/bills/airtime/vend`]: () => reply });
  await expect.poll(() => options("Network")).toContain("Glo");
  await type("Phone number", "08031234567");
  await type("Amount in naira", "500");
  await press("Check");
  await press("Buy");
  expect(button("One moment")).toHaveProperty("disabled", true);
  await press("One moment");
  expect(hasButton("Buy")).toBe(false);
  await settle(() => give({ id: "b-5" }));
  await expect.poll(place).toBe("/env-1/bills/b-5");
  expect(posts(asked)).toHaveLength(1);
  const [order] = asked.filter(({ method }) => method === "POST");
  expect(order?.body).toMatchObject({ reference: order?.headers["idempotency-key"] });
});

test("who goes back from the last step finds the form as they left it, and orders the same", async () => {
  const { asked } = await open("data", { [`POST ${door}/bills/data/vend`]: brokenLine });
  await expect.poll(() => options("Network")).toContain("Glo");
  await type("Network", "GLO");
  await expect.poll(() => options("Plan")).toHaveLength(2);
  await type("Plan", "glo-9gb");
  await type("Phone number", "08031234567");
  await press("Check");
  await press("Buy");
  await press("Back");
  await expect.poll(() => options("Plan")).toHaveLength(2);
  await expect.poll(() => field("Plan").value).toBe("glo-9gb");
  expect([field("Network").value, field("Phone number").value]).toEqual(["GLO", "08031234567"]);
  await press("Check");
  await press("Buy");
  await expect.poll(() => posts(asked)).toHaveLength(2);
  expect(posts(asked)[1]).toEqual(posts(asked)[0]);
});

test("what was filled in for one kind of bill does not stand in another", async () => {
  await open("airtime");
  await expect.poll(() => options("Network")).toContain("Glo");
  await type("Phone number", "08031234567");
  await type("Amount in naira", "500");
  await press("Check");
  await press("Back");
  expect(field("Amount in naira").value).toBe("500");
  await type("What", "electricity");
  expect([field("Amount in naira").value, field("Phone number").value]).toEqual(["", ""]);
});
