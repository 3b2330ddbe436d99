import { expect, test } from "vitest";
import { createCheckoutApp } from "../../../testing/checkout/checkout-sessions.ts";
import { type SessionStatus, sessionStatuses, sessionTransitions } from "./checkout-session.ts";
import { endSession } from "./end-session.ts";

const app = await createCheckoutApp();
const { open, browse, read, within } = app;

const ends = ["completed", "expired", "cancelled"] as const satisfies SessionStatus[];
const pairs = sessionStatuses.flatMap((from) => ends.map((to) => [from, to] as const));

test.each(pairs)("the way from %s to %s is open as the table says", async (from, to) => {
  const { id, url } = await open();
  const loanId = (await browse(url).act("terms", { tenor: 3 })).loan?.id ?? "";
  await within((tx) =>
    tx
      .updateTable("checkout_sessions")
      .set({ status: from })
      .where("environment_id", "=", tx.environment.id)
      .where("id", "=", id)
      .execute(),
  );
  const allowed = (sessionTransitions[from] as readonly string[]).includes(to);
  expect(await within((tx) => endSession(tx, { id, loanId, to }))).toBe(allowed);
  expect((await read(id)).status).toBe(allowed ? to : from);
});

test("a session with a loan does not end as if it had none, nor with another's", async () => {
  const { id, url } = await open();
  await browse(url).act("terms", { tenor: 3 });
  const other = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";
  for (const loanId of [null, other]) {
    expect(await within((tx) => endSession(tx, { id, loanId, to: "cancelled" }))).toBe(false);
  }
  expect((await read(id)).status).toBe("open");
});
