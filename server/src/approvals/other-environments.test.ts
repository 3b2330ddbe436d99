/** Orders that wait where no bank is connected, and where check digits count. */
import { expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { signIn } from "../../testing/console.ts";
import { freshReference } from "../../testing/payments/paying-app.ts";
import { asOwner } from "../../testing/work.ts";

const payout = (accountNumber = "0690000032") => ({
  accountNumber,
  bankCode: "044",
  amount: 1_000,
  currency: "NGN",
  reference: freshReference(),
});

const codeOf = async (reply: Promise<{ json(): { code?: string } }>) => (await reply).json().code;

test("where no bank is connected nothing can be agreed to", async () => {
  const testing = await createTestApp();
  const owner = await signIn(testing, { email: "owner@example.com", role: "owner" });
  const checker = await signIn(testing, { email: "checker@example.com", role: "finance" });
  const environments = `/operator/merchants/${testing.merchant.merchant.id}/environments`;
  const { id: live } = (await testing.operate("POST", environments, { kind: "LIVE", name: "Live" })).json().data;
  const door = `/console/api/environments/${live}/approvals`;
  const asked = await owner.ask("POST", door, { payout: payout() });
  expect(asked.statusCode).toBe(201);
  const { id } = asked.json().data;
  expect((await checker.ask("GET", `${door}/${id}`)).json().data.preview.bankSays).toBeNull();
  expect(await codeOf(checker.ask("POST", `${door}/${id}/approve`))).toBe("rail_not_configured");
});

test("a wrong check digit is refused where it counts: at once, and in an order from before it counted", async () => {
  const strict = await createTestApp({ nubanCheck: "refuse" });
  const ada = await signIn(strict, { email: "ada@example.com", role: "finance" });
  const order = { payout: payout("0690000031") };
  expect(await codeOf(ada.call("POST", "/approvals", order))).toBe("account_number_invalid");
  const checker = await signIn(strict, { email: "checker@example.com", role: "finance" });
  const { id } = (await ada.call("POST", "/approvals", { payout: payout() })).json().data;
  const wrong = JSON.stringify({ accountNumber: "0690000031" });
  await asOwner(strict.ownerUrl, `update approvals set asked = asked || '${wrong}' where id = '${id}'`);
  expect((await checker.call("GET", `/approvals/${id}`)).statusCode).toBe(200);
  expect(await codeOf(checker.call("POST", `/approvals/${id}/approve`))).toBe("account_number_invalid");
});
