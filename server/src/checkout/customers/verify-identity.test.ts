import { describe, expect, test } from "vitest";
import { createCheckoutApp, freshBvn, goodPerson } from "../../../testing/checkout/checkout.ts";
import { inEnvironment } from "../../platform/database/database.ts";
import { deskOf } from "../../rails/desk.ts";
import type { IdentityAnswer, IdentityQuestion } from "../../rails/identity.ts";
import { askAboutPerson } from "./ask-about-person.ts";
import { identityTask } from "./ask-later.ts";
import type { Person } from "./customer.ts";
import { onboardCustomer } from "./onboard-customer.ts";
import { requireCustomer } from "./read-customer.ts";
import { readPerson } from "./read-person.ts";
import { customerSweepSources, customerTasks } from "./verify-identity.job.ts";

const app = await createCheckoutApp();
const { db, merchant, dependencies, within, onboard } = app;
const environmentId = merchant.environment.id;
const { sealer } = dependencies;

function personWith(changes: Partial<Person> = {}): Person {
  return { ...readPerson({ ...goodPerson, bvn: freshBvn() }), ...changes };
}

const onboarded = (person: Person, outcome: IdentityAnswer) =>
  within(async (tx) => (await onboardCustomer(tx, sealer, { person, answer: outcome })).customer);
const statusOf = async (id: string) => (await within((tx) => requireCustomer(tx, id))).kycStatus;
const unavailable = { outcome: "unavailable" } as const;
const matched = { outcome: "matched", phone: "fits" } as const;

/** A provider that answers as it is told. */
async function ask(id: string, answer: (question: IdentityQuestion) => Promise<IdentityAnswer>): Promise<void> {
  const rail = { name: "told", verify: answer };
  const [task] = customerTasks({ db, sealer, rails: { identity: deskOf({ SANDBOX: rail, LIVE: null }) } });
  await task?.[1].handle({ environmentId, subject: id, payload: {} });
}

async function bookedFor(id: string): Promise<Date | undefined> {
  const find = within((tx) =>
    tx.selectFrom("agenda").select("due_at").where("kind", "=", identityTask).where("subject", "=", id).execute(),
  );
  return (await find)[0]?.due_at;
}

describe("a customer whose identity could not be asked about", () => {
  test("is pending, and is asked about again until there is an answer", async () => {
    const { id, kycStatus } = await onboarded(personWith(), unavailable);
    expect(kycStatus).toBe("pending");
    expect(await bookedFor(id)).toEqual(new Date("2026-11-02T08:01:00.000Z"));
    const waits = ["08:01", "08:05", "08:30", "10:00", "14:00"];
    for (const time of waits) {
      await ask(id, async () => unavailable);
      expect(await bookedFor(id)).toEqual(new Date(`2026-11-02T${time}:00.000Z`));
    }
    await ask(id, async () => unavailable);
    expect(await bookedFor(id)).toEqual(new Date("2026-11-03T08:00:00.000Z"));
    await ask(id, async () => ({ outcome: "mismatched", reason: "The name differs." }));
    expect(await statusOf(id)).toBe("failed");
  });

  test("is verified by the agenda of a sandbox", async () => {
    const { id } = await onboarded(personWith(), unavailable);
    await app.advance({ seconds: 60 });
    expect(await statusOf(id)).toBe("verified");
  });

  test("is found by the sweeper, and no more when decided", async () => {
    const { id } = await onboarded(personWith(), unavailable);
    const find = async () => (await customerSweepSources[0]?.find(db, undefined, 500))?.map(({ subject }) => subject);
    expect(await find()).toContain(id);
    await ask(id, async () => matched);
    expect(await find()).not.toContain(id);
  });

  test("is decided by what was claimed first, whatever somebody claims meanwhile without proof", async () => {
    const person = personWith();
    const { id } = await onboarded(person, unavailable);
    await ask(id, async ({ lastName }) => {
      expect(lastName).toBe("Okafor");
      await onboarded({ ...person, lastName: "Bello" }, unavailable);
      return matched;
    });
    expect(await statusOf(id)).toBe("verified");
    expect(await within((tx) => requireCustomer(tx, id))).toMatchObject({ lastName: "Okafor" });
  });

  test("stays as an operator decided meanwhile", async () => {
    const { id } = await onboarded(personWith(), unavailable);
    await ask(id, async () => {
      await app.operate("POST", `/operator/customers/${id}/kyc`, { status: "failed", reason: "Forged" });
      return matched;
    });
    expect(await statusOf(id)).toBe("failed");
  });
});

describe("onboarding again", () => {
  test("with the same claim asks nobody again", async () => {
    const person = personWith();
    const { id } = await onboarded(person, matched);
    await onboarded({ ...person, email: "other@example.com" }, { outcome: "mismatched", reason: "no" });
    expect(await statusOf(id)).toBe("verified");
  });

  test("with another name is a claim, which counts when the register confirms it and else harms nothing", async () => {
    const person = personWith();
    const { id } = await onboarded(person, { outcome: "mismatched", reason: "The name differs." });
    await onboarded({ ...person, firstName: "Ada" }, matched);
    expect(await statusOf(id)).toBe("verified");
    for (const answer of [unavailable, { outcome: "mismatched", reason: "no" } as const]) {
      const after = await onboarded({ ...person, firstName: "Somebody" }, answer);
      expect(after).toMatchObject({ firstName: "Ada", kycStatus: "verified" });
    }
  });

  test("without the NIN and birthday that are known has the whole claim checked", async () => {
    const person = personWith({ nin: "12345678901", dateOfBirth: Temporal.PlainDate.from("1994-06-21") });
    await onboarded(person, matched);
    const less = { ...person, nin: null, dateOfBirth: null, lastName: "Bello" };
    expect((await onboarded(less, matched)).lastName).toBe("Okafor");
    const asked: IdentityQuestion[] = [];
    const rail = {
      name: "told",
      verify: async (question: IdentityQuestion): Promise<IdentityAnswer> => {
        asked.push(question);
        return matched;
      },
    };
    const rails = { identity: deskOf({ SANDBOX: rail, LIVE: null }) };
    const whole = await askAboutPerson({ db, sealer, rails }, { environmentId, kind: "SANDBOX" }, less);
    expect(asked).toMatchObject([{ nin: "12345678901", dateOfBirth: "1994-06-21", lastName: "Bello" }]);
    expect((await onboarded(whole.person, whole.answer)).lastName).toBe("Bello");
  });
});

describe("an operator's word", () => {
  test("stands, whatever the register says about a later claim", async () => {
    const person = personWith();
    const { id } = await onboarded(person, matched);
    await app.operate("POST", `/operator/customers/${id}/kyc`, { status: "failed", reason: "Forged" });
    expect(await onboarded({ ...person, firstName: "Ada" }, matched)).toMatchObject({ kycStatus: "failed" });
  });

  const decide = (id: string, body: unknown) => app.operate("POST", `/operator/customers/${id}/kyc`, body);

  test("counts, and the trail says why", async () => {
    const { id } = (await onboard({ bvn: freshBvn("0000") })).json().data;
    const reply = await decide(id, { status: "verified", reason: "Passport seen" });
    expect(reply.statusCode, reply.body).toBe(200);
    expect(reply.json().data).toMatchObject({ id, kycStatus: "verified", reason: "Passport seen" });
    expect(await statusOf(id)).toBe("verified");
    expect((await decide(id, { status: "verified", reason: "Again" })).statusCode).toBe(200);
    const trail = (await app.operate("GET", "/operator/audit?limit=2")).json().data;
    expect(trail[1]).toMatchObject({
      action: "customer.kyc",
      subjectType: "customer",
      subjectId: id,
      detail: { status: "verified", reason: "Passport seen" },
    });
  });

  test("is refused without a reason, for an unknown customer and from a merchant", async () => {
    const { id } = (await onboard()).json().data;
    expect((await decide(id, { status: "verified", reason: " " })).statusCode).toBe(422);
    expect((await decide(id, { status: "pending", reason: "Why not" })).statusCode).toBe(422);
    const unknown = await decide("01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11", { status: "failed", reason: "x" });
    expect([unknown.statusCode, unknown.json().code]).toEqual([404, "checkout_customer_not_found"]);
    const body = { status: "verified", reason: "Mine" };
    expect((await app.call("POST", `/operator/customers/${id}/kyc`, { body })).statusCode).toBe(401);
  });
});

test("a customer of one sandbox is invisible in another", async () => {
  const { id } = await onboarded(personWith(), matched);
  const other = app.otherMerchant.environment.id;
  await expect(inEnvironment(db, other, (tx) => requireCustomer(tx, id))).rejects.toThrow("No customer has this id");
});
