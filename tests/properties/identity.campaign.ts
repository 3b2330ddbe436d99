/**
 * Random onboardings, changes, consents and cards of one customer against a small model that knows which phone is
 * confirmed: a code never goes to any other, and a card that was linked under one phone never backs a loan that was
 * consented to from another.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createCheckoutApp, freshBvn, goodLoan } from "../../server/testing/checkout/checkout.ts";

const app = await createCheckoutApp();
const { call, onboard, operate, within } = app;
const path = "/loans/bnpl/customers";
/** Of one run: people who share a phone share a limit. */
const phonesOf = (run: number) => [1, 2, 3].map((each) => `+23480${30_000_000 + 10 * run + each}`);

type Command =
  | { readonly does: "onboard"; readonly phone: number }
  | { readonly does: "answer" | "approve" | "reject" | "resend" | "borrow" | "link" | "card" }
  | { readonly does: "ask" | "consent" | "page"; readonly pick: number };

const pick = fc.nat({ max: 5 });
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ does: fc.constant("onboard" as const), phone: fc.nat({ max: 2 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constantFrom("answer", "approve", "reject", "resend", "borrow", "link", "card"),
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constantFrom("ask", "consent", "page"), pick }) },
);

/** What leads to a loan; chance alone seldom strings it together. */
const purchase: readonly Command[] = [
  { does: "borrow" },
  { does: "ask", pick: 0 },
  { does: "consent", pick: 0 },
  { does: "link" },
  { does: "card" },
];
const walks = fc
  .array(
    fc.oneof(
      { weight: 10, arbitrary: command.map((one) => [one]) },
      { weight: 1, arbitrary: fc.constant([...purchase]) },
    ),
    { minLength: 12, maxLength: 26, size: "max" },
  )
  .map((pieces) => pieces.flat());

interface World {
  readonly id: string;
  readonly phones: readonly string[];
  readonly bvn: string;
  confirmed: string;
  /** The change that waited when the customer was last read; only a step makes or ends one. */
  pendingChange: string | undefined;
  readonly loans: string[];
  readonly links: { readonly id: string; readonly phone: string }[];
  /** The phone that the newest linked card belongs to. */
  cardPhone: string | null;
  /** By code id, the phone that was confirmed when it was sent. */
  readonly sentTo: Map<string, string>;
  readonly approved: Set<string>;
}

async function play(world: World, step: Command): Promise<void> {
  const { id, bvn, pendingChange: change } = world;
  const changes = `${path}/${id}/contact-changes/${change}`;
  const decided = `/operator/customers/${id}/contact-changes/${change}`;
  const wanted = await pendingPhone(change);
  const settle = (reply: { statusCode: number }) => {
    if (reply.statusCode === 200 && wanted !== null) world.confirmed = wanted;
  };
  if (step.does === "onboard") await onboard({ bvn, phone: world.phones[step.phone] });
  else if (step.does === "answer") settle(await call("POST", `${changes}/verify`, { body: { otp: "123456" } }));
  else if (step.does === "approve") settle(await operate("POST", `${decided}/approve`, { reason: "Seen" }));
  else if (step.does === "reject") await operate("POST", `${decided}/reject`, { reason: "Not seen" });
  else if (step.does === "resend") await call("POST", `${changes}/resend`);
  else if (step.does === "borrow") {
    const reply = await call("POST", `${path}/${id}/loans`, { body: { ...goodLoan, amount: 5_000 } });
    if (reply.statusCode === 201) world.loans.push(reply.json().data.id);
  } else if (step.does === "link") {
    const reply = await call("POST", `${path}/${id}/cards/link`, { body: {} });
    if (reply.statusCode === 201) world.links.push({ id: reply.json().data.link_id, phone: world.confirmed });
  } else if (step.does === "card") await useLink(world);
  else if ("pick" in step) await proceed(world, step);
}

async function useLink(world: World): Promise<void> {
  const link = world.links.at(-1);
  if (link === undefined) return;
  const reply = await call("POST", `/sandbox/card-links/${link.id}/complete`, { body: { outcome: "linked" } });
  if (reply.statusCode === 200) world.cardPhone = link.phone;
}

async function proceed(world: World, { does, pick: which }: Extract<Command, { pick: number }>): Promise<void> {
  const loan = `/loans/bnpl/loans/${world.loans.at(-1 - (which % 2)) ?? "none"}`;
  if (does === "ask") await call("POST", `${loan}/consent/request`);
  else if (does === "consent") await call("POST", `${loan}/consent/verify`, { body: { otp: "123456" } });
  else await app.advance({ seconds: 61 });
}

const pendingPhone = async (change: string | undefined): Promise<string | null> => {
  if (change === undefined) return null;
  const find = within((tx) =>
    tx.selectFrom("contact_changes").select("phone").where("id", "=", change).executeTakeFirst(),
  );
  return (await find)?.phone ?? null;
};

async function check(world: World): Promise<void> {
  const { codes, granted } = await within(async (tx) => ({
    codes: await tx
      .selectFrom("consent_codes")
      .select(["id", "phone", "loan_id"])
      .where("customer_id", "=", world.id)
      .execute(),
    granted: await tx
      .selectFrom("checkout_loans as l")
      .innerJoin("consent_records as r", "r.loan_id", "l.id")
      .innerJoin("consent_codes as c", "c.id", "r.code_id")
      .select(["l.id", "c.phone"])
      .where("l.customer_id", "=", world.id)
      .where("l.status", "in", ["approved", "disbursed", "active"])
      .execute(),
  }));
  for (const { id, phone } of codes) {
    if (!world.sentTo.has(id)) world.sentTo.set(id, world.confirmed);
    expect(phone).toBe(world.sentTo.get(id));
  }
  for (const { id, phone } of granted) {
    if (world.approved.has(id)) continue;
    world.approved.add(id);
    expect([phone, world.cardPhone]).toEqual([world.confirmed, world.confirmed]);
  }
  const { phone, pending_change: pending } = (await call("GET", `${path}/${world.id}`)).json().data;
  expect(phone).toBe(world.confirmed);
  world.pendingChange = pending?.id;
}

let runs = 0;
let granted = 0;
let moved = 0;

test("a code goes to the confirmed phone, and a loan has its consent and its card from the same one", async () => {
  await fc.assert(
    fc.asyncProperty(walks, async (commands) => {
      runs += 1;
      const phones = phonesOf(runs);
      const [first = ""] = phones;
      const bvn = freshBvn();
      const { id } = (await onboard({ bvn, phone: first })).json().data;
      const world: World = {
        id,
        phones,
        bvn,
        confirmed: first,
        pendingChange: undefined,
        loans: [],
        links: [],
        cardPhone: null,
        sentTo: new Map(),
        approved: new Set(),
      };
      for (const step of commands) {
        await play(world, step);
        await check(world);
      }
      granted += world.approved.size;
      moved += world.confirmed === first ? 0 : 1;
    }),
    { numRuns: 12 },
  );
  // A run that never got anywhere would prove nothing.
  expect(granted).toBeGreaterThan(0);
  expect(moved).toBeGreaterThan(0);
});
