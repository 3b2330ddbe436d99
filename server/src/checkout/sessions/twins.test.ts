/** What happens at once, in a sandbox whose clock runs: one that stands still would put it in a row. */
import { expect, test } from "vitest";
import { agreementOf, createCheckoutApp } from "../../../testing/checkout/checkout-sessions.ts";

const app = await createCheckoutApp({ frozen: false });
const { open, browse, call, within } = app;
const sessions = "/loans/bnpl/checkout-sessions";

const statusesOf = (replies: readonly { statusCode: number }[]) => replies.map((reply) => reply.statusCode).sort();

const times = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, work));

const countLoans = (sessionId: string) =>
  within(async (tx) => {
    const rows = await tx.selectFrom("checkout_loans").select("id").where("session_id", "=", sessionId).execute();
    return rows.length;
  });

test("an order sent many times at once is one session", async () => {
  const body = await app.order();
  const replies = await times(8, () => call("POST", sessions, { body }));
  expect(statusesOf(replies)).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
  expect(new Set(replies.map((reply) => reply.json().data.url)).size).toBe(1);
  expect(replies.filter((reply) => reply.headers["idempotent-replayed"] === "true")).toHaveLength(7);
});

test("an order with a new customer sent many times at once is one session of one customer", async () => {
  const customer = {
    first_name: "Chidi",
    last_name: "Eze",
    email: "chidi@example.com",
    phone: "08031234567",
    bvn: "22987654321",
  };
  const body = await app.order({ customer });
  const replies = await times(8, () => call("POST", sessions, { body }));
  expect(statusesOf(replies)).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
  expect(new Set(replies.map((reply) => reply.json().data.customer_id)).size).toBe(1);
});

test("requests under one Idempotency-Key at once are one session", async () => {
  const body = await app.order();
  const headers = { "idempotency-key": "one-order" };
  const replies = await times(6, () => call("POST", sessions, { body, headers }));
  expect(new Set(replies.map((reply) => reply.json().data.id)).size).toBe(1);
  expect(replies.every((reply) => reply.statusCode < 300)).toBe(true);
});

test("months chosen at once make one loan, with one of the choices", async () => {
  const session = await open();
  const page = browse(session.url);
  const tenors = [3, 3, 6, 6, 12, 12];
  const replies = await Promise.all(tenors.map((tenor) => page.send("POST", "/hosted/checkout/terms", { tenor })));
  expect(statusesOf(replies)).toEqual([200, 200, 200, 200, 200, 200]);
  expect(await countLoans(session.id)).toBe(1);
  const { loan } = await page.view();
  expect(tenors).toContain(loan?.tenor);
  expect(loan?.schedule).toHaveLength(loan?.tenor ?? 0);
});

test("right answers given at once are one consent", async () => {
  const page = browse((await open()).url);
  const { loan } = await page.act("terms", { tenor: 3 });
  await page.act("consent/request");
  const replies = await times(5, () => page.send("POST", "/hosted/checkout/consent/verify", { otp: "123456" }));
  expect(statusesOf(replies)).toEqual([200, 409, 409, 409, 409]);
  const records = await within((tx) =>
    tx
      .selectFrom("consent_records")
      .select("id")
      .where("loan_id", "=", loan?.id ?? "")
      .execute(),
  );
  expect(records).toHaveLength(1);
});

test("codes asked for at once are one code", async () => {
  const page = browse((await open()).url);
  await page.act("terms", { tenor: 3 });
  const ticked = await agreementOf(page);
  const replies = await times(5, () => page.send("POST", "/hosted/checkout/consent/request", ticked));
  expect(statusesOf(replies)).toEqual([200, 429, 429, 429, 429]);
});

test("cancelled at once by customer and merchant, a session ends once", async () => {
  const session = await open();
  const page = browse(session.url);
  await page.act("terms", { tenor: 3 });
  const replies = await Promise.all([
    page.send("POST", "/hosted/checkout/cancel"),
    call("POST", `${sessions}/${session.id}/cancel`),
    page.send("POST", "/hosted/checkout/cancel"),
    call("POST", `${sessions}/${session.id}/cancel`),
  ]);
  expect(statusesOf(replies)).toEqual([200, 409, 409, 409]);
});

test("months chosen while the merchant cancels leave no loan behind", async () => {
  const opened = [await open(), await open(), await open(), await open(), await open(), await open()];
  await Promise.all(
    opened.flatMap(({ id, url }) => [
      browse(url).send("POST", "/hosted/checkout/terms", { tenor: 3 }),
      call("POST", `${sessions}/${id}/cancel`),
    ]),
  );
  for (const { id } of opened) {
    const { status, loan_id: loanId } = await app.read(id);
    expect(status).toBe("cancelled");
    if (loanId !== null) expect(await app.status(loanId)).toBe("cancelled");
    expect(await countLoans(id)).toBe(loanId === null ? 0 : 1);
  }
});
