/**
 * A thief knows somebody's BVN and name, and has a key or a shop's page. The victim is a customer already, with a card.
 * What is sent to the victim's phone the thief cannot read; that alone must stop every step.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { freshBvn, goodLoan, goodPerson } from "../../../testing/checkout/checkout.ts";
import { agreementOf, createCheckoutApp, goodCard } from "../../../testing/checkout/checkout-sessions.ts";

const app = await createCheckoutApp();
const { call, browse, open } = app;
const path = "/loans/bnpl/customers";

let victims = 0;
let victim = { first_name: "Ngozi", last_name: "Eze", email: "ngozi@example.com", phone: "" };
const thief = { first_name: "Ngozi", last_name: "Eze", email: "thief@example.com", phone: "+2348090000001" };
/** Nothing of this may be on a page before the code is right. */
const secrets = ["Ngozi", "0803****321", '"4081"', "350000", "overdue", "open loans"];

let bvn = "";
let customerId = "";

beforeEach(async () => {
  bvn = freshBvn();
  victims += 1;
  victim = { ...victim, phone: `+234803${String(victims).padStart(4, "0")}321` };
  const made = await call("POST", path, { body: { ...victim, bvn } });
  expect(made.statusCode, made.body).toBe(201);
  customerId = made.json().data.id;
  await app.link(customerId, "linked");
});

const smsTo = async (phone: string): Promise<string[]> => {
  const reply = await call("GET", `/sandbox/messages?to=${encodeURIComponent(phone)}&limit=100`);
  return reply.json().data.map(({ text }: { text: string }) => text);
};

const record = async () => (await call("GET", `${path}/${customerId}`)).json().data;

describe("with a key, by the API", () => {
  test("onboarding the BVN again changes nothing, and only the victim hears of it", async () => {
    const before = await record();
    const heard = (await smsTo(victim.phone)).length;
    const reply = await call("POST", path, { body: { ...thief, bvn } });
    expect([reply.statusCode, reply.json().data.id]).toEqual([200, customerId]);
    expect(reply.json().data).toMatchObject({ phone: victim.phone, email: victim.email, kyc_status: "verified" });
    const { pending_change: _, ...after } = await record();
    expect({ ...after, pending_change: null }).toEqual({ ...before, pending_change: null });
    expect(await smsTo(thief.phone)).toEqual([]);
    expect((await smsTo(victim.phone)).length).toBe(heard + 1);
  });

  test("the loan's code goes to the victim, whatever was sent before", async () => {
    await call("POST", path, { body: { ...thief, bvn } });
    const loan = await call("POST", `${path}/${customerId}/loans`, { body: goodLoan });
    const asked = await call("POST", `/loans/bnpl/loans/${loan.json().data.id}/consent/request`);
    expect(asked.json().data.destination).toBe("0803****321");
    expect(await smsTo(thief.phone)).toEqual([]);
  });

  test("a name that the register does not know harms nothing", async () => {
    const failing = freshBvn("0000");
    const made = await call("POST", path, { body: { ...victim, bvn: failing } });
    const { id } = made.json().data;
    await app.operate("POST", `/operator/customers/${id}/kyc`, { status: "verified", reason: "Passport seen" });
    const reply = await call("POST", path, { body: { ...victim, bvn: failing, last_name: "Obi", nin: "12345678901" } });
    expect(reply.json().data).toMatchObject({ last_name: "Eze", kyc_status: "verified" });
  });
});

describe("on a shop's page", () => {
  const order = () => ({ customer: { ...goodPerson, ...thief, bvn } });

  test("nothing of the victim is shown before the code is right, and all of it after", async () => {
    const page = browse((await open(order())).url);
    const shown: string[] = [(await page.send("GET", "/hosted/checkout")).body];
    shown.push((await page.send("POST", "/hosted/checkout/terms", { tenor: 3 })).body);
    shown.push((await page.send("POST", "/hosted/checkout/consent/request", await agreementOf(page))).body);
    shown.push((await page.send("POST", "/hosted/checkout/consent/verify", { otp: "000000" })).body);
    shown.push((await page.send("POST", "/hosted/checkout/card-link")).body);
    for (const body of shown) for (const secret of secrets) expect(body).not.toContain(secret);
    expect(await smsTo(thief.phone)).toEqual([]);
    const right = await page.act("consent/verify", { otp: "123456" });
    expect(right).toMatchObject({ step: "processing", customer: { firstName: "Ngozi" }, card: { last4: "4081" } });
  });

  test("no card can be put to the victim's name before the code is right", async () => {
    const page = browse((await open(order())).url);
    await page.act("terms", { tenor: 3 });
    const reply = await page.send("POST", "/hosted/checkout/card-link");
    expect([reply.statusCode, reply.json().code]).toEqual([409, "invalid_state"]);
  });

  test("what the victim owes and may borrow stays untold when the order is refused", async () => {
    for (const amount of [100_000, 100_000]) {
      const loan = await call("POST", `${path}/${customerId}/loans`, { body: { ...goodLoan, amount } });
      expect(loan.statusCode, loan.body).toBe(201);
    }
    const known = browse((await open(order())).url);
    const refused = await known.view();
    expect(refused).toMatchObject({ step: "not_eligible", customer: null, card: null });
    expect(refused.eligibility.reasons.map(({ code }) => code)).toEqual(["not_eligible"]);
    const chosen = await known.send("POST", "/hosted/checkout/terms", { tenor: 3 });
    expect([chosen.statusCode, chosen.json().code]).toEqual([422, "not_eligible"]);
    expect(chosen.json().data.reasons.map(({ code }: { code: string }) => code)).toEqual(["not_eligible"]);
    for (const secret of secrets) expect(JSON.stringify(refused) + chosen.body).not.toContain(secret);
  });

  test("a BVN that nobody knows gets the same page as one that somebody has", async () => {
    const shape = async (of: string) => {
      const phone = `+234809${of.slice(4)}`;
      const page = browse((await open({ customer: { ...goodPerson, ...thief, phone, bvn: of } })).url);
      const views = [await page.view(), await page.act("terms", { tenor: 3 }), await page.act("consent/request")];
      const own = /"(id|orderReference|returnUrl)":"[^"]*",?/g;
      return views.map((view) => JSON.stringify(view).replaceAll(own, ""));
    };
    expect(await shape(bvn)).toEqual(await shape(freshBvn()));
  });

  test("the page of a card shows no name", async () => {
    const made = await call("POST", `${path}/${customerId}/cards/link`, { body: {} });
    const page = app.browseCard(made.json().data.url);
    expect(JSON.stringify(await page.view())).not.toContain("Ngozi");
    expect((await page.pay(goodCard)).json().data).toMatchObject({ status: "linked", card: { last4: "4081" } });
  });
});
