/** Whatever is decided by hand, and whenever: our records, the money and the books of the simulated rails agree. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { createMerchant, type TestMerchant, testOrigin } from "../../testing/factories.ts";
import { asOwner, eventually, workThrough } from "../../testing/work.ts";
import { inEnvironment, operatorScope, readEnvironment } from "../platform/database/database.ts";
import { recordAudit } from "../platform/records/audit.ts";
import { house } from "../start/slices.ts";

const { db, call, tasks, clock, ownerUrl } = await createTestApp();

type Kind = "transfers" | "bills";
type Step =
  | { readonly does: "order"; readonly kind: Kind; readonly ending: string }
  | { readonly does: "decide"; readonly pick: number; readonly word: string }
  | { readonly does: "work" };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    does: fc.constant("order" as const),
    kind: fc.constantFrom<Kind>("transfers", "bills"),
    ending: fc.constantFrom("", "_PENDING", "_FAIL", "_TIMEOUT", "_REVERSE"),
  }),
  fc.record({
    does: fc.constant("decide" as const),
    pick: fc.nat(20),
    word: fc.constantFrom("complete", "fail", "reverse"),
  }),
  fc.record({ does: fc.constant("work" as const) }),
);
/** The steps of a group happen at the same time. */
const life = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 3, maxLength: 10 });

const path = { transfers: "/transfers", bills: "/bills/airtime/vend" } as const;
const body = {
  transfers: { accountNumber: "0123456789", bankCode: "058", amount: 1_000, currency: "NGN" },
  bills: { network: "MTN", phoneNumber: "08031234567", amount: 500 },
} as const;

async function work(): Promise<void> {
  for (const loop of tasks.loops) await workThrough(loop);
}

async function live(merchant: TestMerchant, groups: readonly (readonly Step[])[]): Promise<void> {
  const orders: string[] = [];
  const key = merchant.secretKey;
  let made = 0;
  const take = async (one: Step): Promise<void> => {
    if (one.does === "work") return work();
    if (one.does === "order") {
      made += 1;
      const reply = await call("POST", path[one.kind], {
        key,
        body: { ...body[one.kind], reference: `order-${made}${one.ending}` },
      });
      expect(reply.statusCode).toBe(201);
      orders.push(`/sandbox/${one.kind}/${reply.json().data.id}`);
      return;
    }
    const order = orders[one.pick];
    if (order === undefined) return;
    const reply = await call("POST", `${order}/${one.word}`, { key });
    expect([200, 409]).toContain(reply.statusCode);
  };
  for (const group of groups) await Promise.all(group.map(take));
}

test("after any life the books of both sides agree, and nothing stays held", async () => {
  await fc.assert(
    fc.asyncProperty(life, async (groups) => {
      const merchant = await createMerchant(db);
      const { id } = merchant.environment;
      await call("POST", "/sandbox/wallets/fund", { key: merchant.secretKey, body: { amount: 100_000 } });
      await live(merchant, groups);
      // What was accepted last may still be on its way to the rail, and asks for its outcome after this advance only.
      await eventually("nothing is held", async () => {
        await work();
        await clock.advance(id, { seconds: 2 * 86_400 });
        const balance = (await call("GET", "/wallets/balance", { key: merchant.secretKey })).json().data;
        return balance.held === 0;
      });
      expect(await readEnvironment(db, id, house.verify)).toEqual([]);
    }),
    { numRuns: 10 },
  );
});

test("verify names what a rail did otherwise than we say, but for what an operator resolved", async () => {
  const merchant = await createMerchant(db);
  const { id } = merchant.environment;
  const key = merchant.secretKey;
  await call("POST", "/sandbox/wallets/fund", { key, body: { amount: 100_000 } });
  await live(merchant, [
    [
      { does: "order", kind: "transfers", ending: "" },
      { does: "order", kind: "bills", ending: "" },
    ],
    [{ does: "work" }],
  ]);
  const verify = () => readEnvironment(db, id, house.verify);
  expect(await verify()).toEqual([]);
  await asOwner(
    ownerUrl,
    `update simulated_bank.payments set status = 'refused' where sandbox = '${id}';
     update simulated_biller.vends set amount = amount + 1 where sandbox = '${id}'`,
  );
  const found = await verify();
  expect(found.map(({ check, expected, found: theirs }) => [check, expected, theirs]).sort()).toEqual([
    ["bill and the simulated rail agree", "successful 50000", "delivered 50001"],
    ["transfer and the simulated rail agree", "completed 100000", "refused 100000"],
  ]);
  await inEnvironment(db, operatorScope, async (tx) => {
    for (const { check, subject } of found) {
      const noun = check.split(" ")[0] ?? "";
      const decision = {
        action: `${noun}.resolve`,
        subjectType: noun,
        subjectId: subject,
        environmentId: id,
        detail: {},
      };
      await recordAudit(tx, testOrigin, decision);
    }
  });
  expect(await verify()).toEqual([]);
});
