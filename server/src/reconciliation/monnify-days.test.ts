/** The same comparison with another provider, and with differences that chance has planted. */
import { expect, test } from "vitest";
import { type MonnifyTwin, monnifyKeys, startMonnifyTwin } from "../../testing/providers/monnify-twin.ts";
import { createReconciledApp } from "../../testing/providers/reconciled-app.ts";
import { seededRandom } from "../../testing/providers/twin-faults.ts";

const app = await createReconciledApp();
const twin: MonnifyTwin = app.keep(await startMonnifyTwin());
const connection = await app.connect({
  provider: "monnify",
  name: "Monnify",
  mode: "live",
  baseUrl: twin.url,
  credentials: monnifyKeys,
});
await app.operate("PUT", "/operator/routes/bank", { connections: [connection] });
const { listed } = twin.books;

const plants = {
  nothing: () => null,
  missing_at_provider: (id: string) => listed.lose(id),
  amount_differs: (id: string) => listed.change(id, { amount: 1 }),
  status_differs: (id: string) => listed.change(id, { status: "REVERSED" }),
  fee_differs: (id: string) => listed.change(id, { fee: 7 }),
  missing_with_us: (id: string) => {
    const order = twin.books.disbursements.get(id);
    if (order === undefined) throw new Error(`Monnify has no ${id}`);
    const reference = `strange-${id}`;
    listed.add({ ...order, reference, transactionReference: reference, createdAt: noon });
  },
} as const;
const noon = new Date("2026-05-04T12:00:00+01:00");

test.each([1, 2, 3])("of random orders exactly the planted differences are found (seed %d)", async (seed) => {
  const random = seededRandom(seed);
  await app.owner("update transfers set connection_id = null; delete from rail_traces");
  listed.behave();
  const expected: string[] = [];
  const orders = 8;
  for (let n = 0; n < orders; n += 1) {
    const { sessionId } = await app.payAt(noon, { amount: 100 + Math.floor(random() * 900_000) / 100 });
    listed.change(sessionId, { createdAt: noon });
    const names = Object.keys(plants) as (keyof typeof plants)[];
    const name = names[Math.floor(random() * names.length)] ?? "nothing";
    plants[name](sessionId);
    if (name !== "nothing") expected.push(`${name} ${sessionId}`);
  }
  const run = await app.compare(connection, "2026-05-04");
  const found = run.exceptions.map(({ kind, ours, theirs }) => {
    const subject = String(ours?.["orderId"] ?? theirs?.["orderId"]).replace("strange-", "");
    return `${kind} ${subject}`;
  });
  expect(found.sort()).toEqual(expected.sort());
  expect(run.counts?.["orders"]).toBe(orders);
});
