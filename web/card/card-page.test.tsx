/**
 * The card page as its customer uses it: where the number goes, and what each reply says.
 */
import { describe, expect, test, vi } from "vitest";
import { describedBy, draw, field, hasButton, press, settle, shown, type } from "../testing/draw.tsx";
import { hostedUntil, openHosted, type Replies, setting, visa, visitAsCustomer } from "../testing/hosted-page.tsx";
import { brokenLine, refuse, replyWith } from "../testing/replies.ts";
import type { CardLinkView } from "./card-link-view.ts";
import { CardPage } from "./card-page.tsx";

const left = visitAsCustomer();

const view: CardLinkView = {
  ...setting,
  linkId: "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11",
  status: "pending",
  tokenizePath: "/hosted/card-vault/tokens",
  expiresAt: hostedUntil,
  card: null,
  reason: null,
  returnUrl: "https://balogun.example/card",
};
const linked: CardLinkView = { ...view, status: "linked", card: visa };

const open = (first: CardLinkView, replies: Replies = {}) =>
  openHosted(<CardPage token="page-token" />, "/hosted/card-link", first, replies);

async function typeCard(number = "4084 0840 8408 4081") {
  await type("Card number", number);
  await type("Expiry date", "12/29");
  await type("Security code", "408");
}

const vault = { "POST /hosted/card-vault/tokens": () => ({ token: "vaulted" }) };

test("the number goes to the vault alone, and what the vault gives for it to the link", async () => {
  const { sent } = await open(view, { ...vault, "POST /hosted/card-link/card": () => linked });
  await typeCard();
  await press("Save this card");
  expect(sent().map(({ path, body }) => [path, body])).toEqual([
    ["/hosted/card-vault/tokens", { number: "4084084084084081", expMonth: 12, expYear: 2029, cvv: "408" }],
    ["/hosted/card-link/card", { cardToken: "vaulted" }],
  ]);
  expect(shown()).toContain("Your Visa card ending 4081 will be used");
});

test("a vault elsewhere does not learn the page's token", async () => {
  const elsewhere = { ...view, tokenizePath: "https://vault.example/tokens" };
  const { sent } = await open(elsewhere, { "POST https://vault.example/tokens": () => ({ token: "v" }) });
  await typeCard();
  await press("Save this card");
  expect(sent()[0]?.headers).not.toHaveProperty("authorization");
  expect(sent()[1]?.headers).toHaveProperty("authorization", "Bearer page-token");
});

test("an empty form is not sent: every mistake is named, in the sum and beside its field", async () => {
  const { sent } = await open(view);
  await press("Save this card");
  expect(sent()).toEqual([]);
  expect(document.activeElement?.textContent).toContain("Some things are not right yet");
  expect(describedBy(field("Card number"))).toBe("Type the card number.");
  expect(describedBy(field("Expiry date"))).toBe("Type month and year, such as 08 / 29.");
  expect(describedBy(field("Security code"))).toBe("Type the 3 digits on the back.");
});

test.each([
  ["number", "Card number"],
  ["expMonth", "Expiry date"],
  ["expYear", "Expiry date"],
  ["cvv", "Security code"],
])("what the vault says about %s stands beside the %s", async (name, label) => {
  const errors = [{ field: name, message: "is wrong" }];
  await open(view, { "POST /hosted/card-vault/tokens": () => refuse(422, "validation_failed", { errors }) });
  await typeCard();
  await press("Save this card");
  expect(field(label).getAttribute("aria-invalid")).toBe("true");
  expect(field("Card number").value).toBe("4084 0840 8408 4081");
});

test("a declined card says why, and the same link takes another", async () => {
  const reason = { code: "insufficient_funds", message: "Not enough money." };
  const { sent } = await open(view, {
    ...vault,
    "POST /hosted/card-link/card": () => ({ ...view, status: "declined", reason }),
  });
  await typeCard();
  await press("Save this card");
  expect(shown()).toContain("Try another card");
  expect(shown()).toContain("Not enough money.");
  // Nothing of the refused card stays in the page.
  expect(field("Card number").value).toBe("");
  await typeCard("5060 6666 6666 6666 666");
  await press("Save this card");
  expect(sent()).toHaveLength(4);
});

test("a broken line says so, keeps what was typed, and the same button sends it again", async () => {
  let broken = true;
  await open(view, {
    "POST /hosted/card-vault/tokens": () => (broken ? brokenLine() : { token: "v" }),
    "POST /hosted/card-link/card": () => linked,
  });
  await typeCard();
  await press("Save this card");
  expect(document.querySelector("[role=alert]")).not.toBeNull();
  broken = false;
  await press("Save this card");
  expect(shown()).toContain("will be used");
});

test("while the bank is asked the page looks again by itself", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { server } = await open({ ...view, status: "processing" });
  expect(shown()).toContain("Asking your bank");
  server.view = linked;
  await settle(() => vi.advanceTimersByTime(1_500));
  expect(shown()).toContain("will be used");
});

describe("where the bank takes the card on its own page", () => {
  const atBank = { ...view, tokenizePath: null };

  test("the customer is sent there", async () => {
    await open(atBank, { "POST /hosted/card-link/start": () => ({ url: "https://bank.example/pay" }) });
    await press("Continue at your bank's page");
    expect(left()).toEqual(["https://bank.example/pay"]);
  });

  test("a page that does not open is told", async () => {
    const refused = () => refuse(503, "rail_not_configured", { message: "No bank is connected." });
    await open(atBank, { "POST /hosted/card-link/start": refused });
    await press("Continue at your bank's page");
    expect(shown()).toContain("No bank is connected.");
  });

  test("who comes back is told at once: the page asks", async () => {
    const { sent } = await open({ ...atBank, status: "processing" }, { "POST /hosted/card-link/ask": () => linked });
    await expect.poll(shown).toContain("will be used");
    expect(sent().map(({ path }) => path)).toEqual(["/hosted/card-link/ask"]);
  });
});

test.each([
  ["SANDBOX", true],
  ["LIVE", false],
] as const)("test cards are offered in %s: %s", async (environment, offered) => {
  await open({ ...view, environment });
  expect(shown().toLowerCase().includes("test card")).toBe(offered);
});

test("an incomplete or unknown link opens nothing; a server that is away can be asked again", async () => {
  await draw(<CardPage token={null} />);
  expect([shown().includes("This link does not work"), hasButton("Try again")]).toEqual([true, false]);
  let broken = true;
  replyWith({ "GET /hosted/card-link": () => (broken ? brokenLine() : linked) });
  await draw(<CardPage token="t" />);
  broken = false;
  await press("Try again");
  expect(shown()).toContain("will be used");
});
