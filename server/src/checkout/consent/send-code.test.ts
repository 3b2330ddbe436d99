import { sql } from "kysely";
import { expect, test } from "vitest";
import { createBorrowingApp } from "../../../testing/checkout/borrowers.ts";
import { silentLog } from "../../../testing/work.ts";
import { inEnvironment } from "../../platform/database/database.ts";
import { sweep } from "../../platform/work/sweeper.ts";
import { deskOf } from "../../rails/desk.ts";
import type { Message, MessageAnswer, MessageRail } from "../../rails/message.ts";
import { consentSweepSources, consentTasks } from "./code-order.ts";
import { sendCodeTask } from "./consent.ts";
import { requestConsent } from "./request-consent.ts";

const app = await createBorrowingApp({ frozen: false });
const { db } = app;
const { sealer, rails } = app.dependencies;
const environmentId = app.merchant.environment.id;

/** Asks for a code and returns its id; nothing is sent by itself here. */
async function requested(): Promise<string> {
  const loanId = await app.loan(await app.customer());
  return app.within(async (tx) => {
    await requestConsent(tx, { sealer, rails: rails.rails, lender: undefined }, { loanId });
    const find = tx.selectFrom("consent_codes").select("id").where("loan_id", "=", loanId);
    return (await find.executeTakeFirstOrThrow()).id;
  });
}

/** A gateway that gives the answers in their order, and what was handed to it. */
function gateway(...answers: MessageAnswer[]) {
  return gatewayThat({ knowsIds: true }, ...answers);
}

function gatewayThat({ knowsIds }: { readonly knowsIds: boolean }, ...answers: MessageAnswer[]) {
  const messages: Message[] = [];
  const send = async (message: Message): Promise<MessageAnswer> => {
    messages.push(message);
    return answers.shift() ?? { outcome: "sent", providerId: "p-1" };
  };
  return { messages, run: taskWith({ name: "test", deduplicatesByMessage: knowsIds, send }) };
}

function taskWith(rail: MessageRail): (subject: string) => Promise<unknown> {
  const deps = { db, sealer, log: silentLog, rails: { message: deskOf({ SANDBOX: rail, LIVE: null }) } };
  const [[, task]] = consentTasks(deps) as [ReturnType<typeof consentTasks>[number]];
  return (subject) => task.handle({ environmentId, subject, payload: {} });
}

const statusOf = (id: string) =>
  inEnvironment(db, environmentId, async (tx) => {
    const find = tx.selectFrom("consent_codes").select(["message_status", "message_tries"]).where("id", "=", id);
    return find.executeTakeFirstOrThrow();
  });

const aMinuteLater = (id: string) =>
  app.within((tx) => {
    const before = sql<Date>`message_tried_at - interval '61 seconds'`;
    return tx.updateTable("consent_codes").set({ message_tried_at: before }).where("id", "=", id).execute();
  });

test("a message is handed over once, under the id that was committed with its code", async () => {
  const id = await requested();
  const { messages, run } = gateway();
  await run(id);
  await run(id);
  expect(messages).toHaveLength(1);
  expect(messages[0]).toMatchObject({ environmentId, channel: "sms", to: expect.stringMatching(/^\+234803\d{4}678$/) });
  expect((await statusOf(id)).message_status).toBe("sent");
});

test("an unclear answer is followed by the same message under the same id, booked on the agenda", async () => {
  const id = await requested();
  const { messages, run } = gateway({ outcome: "unknown" });
  await run(id);
  expect(await statusOf(id)).toEqual({ message_status: "waiting", message_tries: 1 });
  const booked = await app.within((tx) =>
    tx.selectFrom("agenda").select("due_at").where("kind", "=", sendCodeTask).where("subject", "=", id).execute(),
  );
  expect(booked).toHaveLength(1);
  await run(id);
  expect(messages[1]).toEqual(messages[0]);
  expect((await statusOf(id)).message_status).toBe("sent");
});

test("a gateway that does not know our ids is handed a message twice at most", async () => {
  const id = await requested();
  const unclear: MessageAnswer = { outcome: "unknown" };
  const { messages, run } = gatewayThat({ knowsIds: false }, unclear, unclear, unclear, unclear);
  for (let time = 0; time < 5; time += 1) await run(id);
  expect(messages).toHaveLength(2);
  expect(await statusOf(id)).toEqual({ message_status: "unclear", message_tries: 2 });
});

test("one that knows them is asked until the answer is clear", async () => {
  const id = await requested();
  const unclear: MessageAnswer = { outcome: "unknown" };
  const { messages, run } = gateway(unclear, unclear, unclear, unclear);
  for (let time = 0; time < 5; time += 1) await run(id);
  expect(messages).toHaveLength(5);
  expect((await statusOf(id)).message_status).toBe("sent");
});

test("of workers at the same moment one hands the message to a gateway that does not know our ids", async () => {
  const id = await requested();
  const workers = 8;
  const messages: Message[] = [];
  let idle = 0;
  const everybodyHasMoved = Promise.withResolvers<void>();
  const moved = () => {
    if (idle + messages.length === workers) everybodyHasMoved.resolve();
  };
  // The gateway takes its time until every worker has either come to it or gone away.
  const send = async (message: Message): Promise<MessageAnswer> => {
    messages.push(message);
    moved();
    await everybodyHasMoved.promise;
    return { outcome: "sent", providerId: "p-1" };
  };
  const run = taskWith({ name: "test", deduplicatesByMessage: false, send });
  const working = Array.from({ length: workers }, async () => {
    await run(id);
    idle += 1;
    moved();
  });
  await Promise.all(working);
  expect(messages).toHaveLength(1);
  expect((await statusOf(id)).message_status).toBe("sent");
});

test("a try counts even if the worker dies while it is made", async () => {
  const id = await requested();
  const dying = (): never => {
    throw new Error("killed");
  };
  const die = taskWith({ name: "test", deduplicatesByMessage: false, send: dying });
  await expect(die(id)).rejects.toThrow("killed");
  // While the first try may still be under way nobody makes another.
  const { messages, run } = gatewayThat({ knowsIds: false });
  await run(id);
  expect(messages).toEqual([]);
  await aMinuteLater(id);
  await expect(die(id)).rejects.toThrow("killed");
  await aMinuteLater(id);
  await run(id);
  expect(messages).toEqual([]);
  expect(await statusOf(id)).toEqual({ message_status: "unclear", message_tries: 2 });
});

test("what a gateway refuses to carry is not sent again", async () => {
  const id = await requested();
  const { messages, run } = gateway({ outcome: "refused", code: "no_such_number", message: "Nobody has this number." });
  await run(id);
  await run(id);
  expect(messages).toHaveLength(1);
  expect((await statusOf(id)).message_status).toBe("refused");
});

test("a code that nobody can answer any more is not sent", async () => {
  const id = await requested();
  await app.within((tx) => tx.updateTable("consent_codes").set({ status: "replaced" }).where("id", "=", id).execute());
  const { messages, run } = gateway();
  await run(id);
  expect(messages).toEqual([]);
  expect((await statusOf(id)).message_status).toBe("refused");
});

test("the sweeper takes up a message whose task was lost", async () => {
  const id = await requested();
  await app.pool.query("delete from pgboss.job where name = $1", [sendCodeTask]);
  expect(await sweep(db, consentSweepSources, silentLog)).toBeGreaterThan(0);
  const jobs = await app.pool.query("select data from pgboss.job where name = $1", [sendCodeTask]);
  expect(jobs.rows.map(({ data }) => data.subject)).toContain(id);
});
