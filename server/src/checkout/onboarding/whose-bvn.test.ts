/**
 * A thief has bought somebody's BVN with the name and the birthday, and is the first to come with it. The phone is the
 * thief's own, so every code arrives. Until something shows that this is the owner of the BVN, no money leaves.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCheckoutApp, freshBvn } from "../../../testing/checkout/checkout.ts";
import { playedBvns } from "../../sandbox/magic-inputs.ts";
import type { Person } from "../customers/customer.ts";
import { proveIdentity } from "../customers/customer-store.ts";
import { onboardCustomer } from "../customers/onboard-customer.ts";

const app = await createCheckoutApp();
const { call, operate, onboard, within } = app;
const path = "/loans/bnpl/customers";

let stolen = 0;
/** The register has another phone for it. */
function stolenBvn(): string {
  stolen += 1;
  return `${playedBvns.otherPhone}${String(stolen).padStart(4, "0")}`;
}

async function thief(): Promise<string> {
  const made = await onboard({ bvn: stolenBvn(), phone: `+23480900${String(stolen).padStart(5, "0")}` });
  expect(made.json().data, made.body).toMatchObject({ kyc_status: "verified" });
  return made.json().data.id;
}

/** A loan with consent and card. */
async function borrowed(customerId: string, amount = 60_000): Promise<string> {
  const made = await app.request(customerId, { amount });
  expect(made.statusCode, made.body).toBe(201);
  const { id } = made.json().data;
  await app.consent(id);
  await app.link(customerId, "linked");
  await app.advance({ seconds: 30 });
  return id;
}

const decideKyc = (id: string, status: string) =>
  operate("POST", `/operator/customers/${id}/kyc`, { status, reason: "Seen" });
const waiting = {
  status: "pending_card",
  requirements: [
    { type: "consent", status: "met" },
    { type: "card_link", status: "met" },
    { type: "identity", status: "pending" },
  ],
};

describe("a customer whose phone is not the register's", () => {
  test("gets no money with consent and card, and is shown what is missing", async () => {
    const loan = await borrowed(await thief());
    expect(await app.read(loan)).toMatchObject(waiting);
    await app.advance({ days: 2 });
    expect(await app.status(loan)).toBe("expired");
  });

  test("gets it once an operator has looked, and not after a no", async () => {
    const [seen, refused] = [await thief(), await thief()];
    const [granted, rejected] = [await borrowed(seen), await borrowed(refused)];
    await decideKyc(seen, "verified");
    await decideKyc(refused, "failed");
    await app.advance({ seconds: 30 });
    expect([await app.status(granted), await app.status(rejected)]).toEqual(["active", "rejected"]);
    expect((await app.read(granted))["requirements"]).toHaveLength(2);
  });

  test("has the lowest limit, whatever was repaid under the BVN", async () => {
    const honest = await app.customer();
    const id = await thief();
    const repay = async (customerId: string) => {
      const loan = await borrowed(customerId, 200_000);
      await decideKyc(customerId, "verified");
      await app.advance({ seconds: 30 });
      await app.advance({ days: 100 });
      expect(await app.status(loan)).toBe("completed");
    };
    await repay(honest);
    await repay(id);
    const limits = async () => [
      (await app.eligibility(honest))["max_amount"],
      (await app.eligibility(id))["max_amount"],
    ];
    expect(await limits()).toEqual([350_000, 350_000]);
    await within((tx) =>
      tx
        .updateTable("customers")
        .set({ kyc_by_operator: false, identity_proof: "none" })
        .where("id", "=", id)
        .execute(),
    );
    expect(await limits()).toEqual([350_000, 200_000]);
  });

  test("goes on when the register has the phone after all, or a card is in the customer's name", async () => {
    const id = await thief();
    const loan = await borrowed(id);
    await within((tx) => proveIdentity(tx, id, "card"));
    const { phone } = (await call("GET", `${path}/${id}`)).json().data;
    await onboard({ bvn: `${playedBvns.otherPhone}${String(stolen).padStart(4, "0")}`, phone });
    await app.advance({ seconds: 30 });
    expect(await app.status(loan)).toBe("active");
  });
});

describe("a card in the name that a customer gave", () => {
  const person = { email: "t@example.com", phone: "+2348090300001", nin: null, address: null, externalId: null };
  const matched = { outcome: "matched", phone: "differs" } as const;
  const mismatched = { outcome: "mismatched", reason: "Another name" } as const;
  type Name = Pick<Person, "firstName" | "lastName" | "dateOfBirth">;
  const thiefs: Name = { firstName: "Tunde", lastName: "Bello", dateOfBirth: null };
  const owners: Name = { firstName: "Adaeze", lastName: "Okafor", dateOfBirth: null };
  const born = Temporal.PlainDate.from("1990-05-16");

  /** The customer is onboarded, a card in the customer's name is linked, and the customer is onboarded again. */
  const proofAfter = async (steps: readonly (readonly [Name, boolean])[]) => {
    const bvn = freshBvn();
    const onboardAs = ([who, fits]: (typeof steps)[number]) =>
      within(async (tx) => {
        const answer = fits ? matched : mismatched;
        const onboarding = { person: { ...person, ...who, bvn }, answer };
        return (await onboardCustomer(tx, app.dependencies.sealer, onboarding)).customer;
      });
    const [first, ...later] = steps;
    if (first === undefined) throw new Error("nobody was onboarded");
    const { id } = await onboardAs(first);
    await within((tx) => proveIdentity(tx, id, "card"));
    for (const step of later) await onboardAs(step);
    return within((tx) =>
      tx.selectFrom("customers").select(["kyc_status", "identity_proof"]).where("id", "=", id).executeTakeFirst(),
    );
  };

  test("proves nothing once the register confirms another name", async () => {
    const proof = await proofAfter([
      [thiefs, false],
      [owners, true],
    ]);
    expect(proof).toEqual({ kyc_status: "verified", identity_proof: "none" });
  });

  test.each([
    ["the same name with the right birthday", { ...owners, dateOfBirth: born }, false],
    ["the same name in another spelling", { ...owners, firstName: "Adaeze Chioma" }, true],
    ["the same name again", owners, true],
  ] as const)("stays a proof when the register confirms %s", async (_, again, wasRight) => {
    const proof = await proofAfter([
      [owners, wasRight],
      [again, true],
    ]);
    expect(proof).toEqual({ kyc_status: "verified", identity_proof: "card" });
  });
});

describe("the owner of a BVN with which a thief came first", () => {
  test("gets the code on the phone of the register, and the thief's loan is over", async () => {
    const bvn = freshBvn();
    const owner = { bvn, phone: "+2348031112222" };
    // The register knows the owner from elsewhere; the thief's phone is the one on record here.
    const { id } = (await onboard(owner)).json().data;
    await within((tx) =>
      tx
        .updateTable("customers")
        .set({ phone: "+2348090001111", identity_proof: "none" })
        .where("id", "=", id)
        .execute(),
    );
    const loan = await borrowed(id);
    expect(await app.status(loan)).toBe("pending_card");
    const again = await onboard(owner);
    const change = again.json().data.pending_change;
    expect(change).toMatchObject({ fields: ["phone"] });
    const sent = (await call("GET", `/sandbox/messages?to=${encodeURIComponent(owner.phone)}`)).json().data;
    expect(sent[0].text).toMatch(/^123456 /);
    const confirm = `${path}/${id}/contact-changes/${change.id}/verify`;
    expect((await call("POST", confirm, { body: { otp: "123456" } })).statusCode).toBe(200);
    expect(await app.status(loan)).toBe("cancelled");
    await onboard(owner);
    const own = await borrowed(id);
    await app.advance({ seconds: 30 });
    expect(await app.status(own)).toBe("active");
  });

  test("is not asked where the phone on record is the owner's: the code goes there, as ever", async () => {
    const bvn = freshBvn();
    const { phone } = (await onboard({ bvn })).json().data;
    await onboard({ bvn, phone: "+2348090002222" });
    const to = async (number: string) =>
      (await call("GET", `/sandbox/messages?to=${encodeURIComponent(number)}`)).json().data.length;
    expect([await to(phone), await to("+2348090002222")]).toEqual([1, 0]);
  });
});

test("whatever a thief tries, in whatever order, no money leaves before something shows the owner", async () => {
  const trick = fc.constantFrom("request", "consent", "card", "onboard", "other phone", "confirm", "wait");
  await fc.assert(
    fc.asyncProperty(fc.array(trick, { minLength: 4, maxLength: 14 }), async (tricks) => {
      const bvn = stolenBvn();
      const phone = `+23480901${String(stolen).padStart(5, "0")}`;
      const { id } = (await onboard({ bvn, phone })).json().data;
      let loan: string | undefined;
      for (const one of tricks) {
        if (one === "request") loan = (await app.request(id, { amount: 20_000 })).json().data?.id ?? loan;
        if (one === "consent" && loan !== undefined) {
          await call("POST", `/loans/bnpl/loans/${loan}/consent/request`);
          await call("POST", `/loans/bnpl/loans/${loan}/consent/verify`, { body: { otp: "123456" } });
        }
        if (one === "card") await app.link(id, "linked");
        if (one === "onboard") await onboard({ bvn, phone });
        if (one === "other phone") await onboard({ bvn, phone: `+23480902${String(stolen).padStart(5, "0")}` });
        if (one === "confirm") {
          const { pending_change: change } = (await call("GET", `${path}/${id}`)).json().data;
          await call("POST", `${path}/${id}/contact-changes/${change?.id}/verify`, { body: { otp: "123456" } });
        }
        if (one === "wait") await app.advance({ seconds: 61 });
      }
      await app.advance({ seconds: 60 });
      const loans = await within((tx) =>
        tx.selectFrom("checkout_loans").select(["status", "disbursement_id"]).where("customer_id", "=", id).execute(),
      );
      for (const { status, disbursement_id: paid } of loans) {
        expect(paid).toBeNull();
        expect(["pending_consent", "pending_card", "cancelled", "expired"]).toContain(status);
      }
    }),
    { numRuns: 12 },
  );
});

test("a customer of before, of whom nobody asked, borrows on in a sandbox", async () => {
  const id = await app.customer();
  await within((tx) => tx.updateTable("customers").set({ identity_proof: null }).where("id", "=", id).execute());
  expect(await app.status(await borrowed(id))).toBe("active");
});
