import { expect, test } from "vitest";
import { createPlanApp } from "../../../testing/checkout/plans.ts";
import { silentLog } from "../../../testing/work.ts";
import { deskOf } from "../../rails/desk.ts";
import type { Message } from "../../rails/message.ts";
import { planTasks } from "./plan-link-order.ts";

const app = await createPlanApp();
const { db, within } = app;
const { sealer } = app.dependencies;
const environmentId = app.merchant.environment.id;

/** A loan whose address waits to be sent, as it does right after the payout. */
async function waiting(): Promise<string> {
  const { loanId } = await app.lend();
  const again = { status: "waiting", tries: 0, tried_at: null };
  await within((tx) => tx.updateTable("plan_link_messages").set(again).where("loan_id", "=", loanId).execute());
  return loanId;
}

function gateway({ knowsIds }: { readonly knowsIds: boolean }) {
  const messages: Message[] = [];
  const send = async (message: Message) => {
    messages.push(message);
    return { outcome: "unknown" } as const;
  };
  const rails = { message: deskOf({ SANDBOX: { name: "test", deduplicatesByMessage: knowsIds, send }, LIVE: null }) };
  const deps = { db, sealer, log: silentLog, publicUrl: "https://pay.example", rails };
  const [[, task]] = planTasks(deps) as [ReturnType<typeof planTasks>[number]];
  return { messages, run: (subject: string) => task.handle({ environmentId, subject, payload: {} }) };
}

const statusOf = (loanId: string) =>
  within((tx) =>
    tx
      .selectFrom("plan_link_messages")
      .select(["status", "tries"])
      .where("loan_id", "=", loanId)
      .executeTakeFirstOrThrow(),
  );

test("a gateway that does not know our ids is handed the address of a plan twice at most", async () => {
  const loanId = await waiting();
  const { messages, run } = gateway({ knowsIds: false });
  for (let time = 0; time < 5; time += 1) await run(loanId);
  expect(messages).toHaveLength(2);
  expect(await statusOf(loanId)).toEqual({ status: "unclear", tries: 2 });
});

test("one that knows them is asked until the answer is clear", async () => {
  const loanId = await waiting();
  const { messages, run } = gateway({ knowsIds: true });
  for (let time = 0; time < 5; time += 1) await run(loanId);
  expect(messages).toHaveLength(5);
  expect(await statusOf(loanId)).toEqual({ status: "waiting", tries: 5 });
});
