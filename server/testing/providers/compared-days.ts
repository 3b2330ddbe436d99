/** Days of a live app with Paystack's twin: each test has a day of its own, long ago, on which both sides have payouts. */
import { beforeEach } from "vitest";
import { startPaystackTwin } from "./paystack-twin.ts";
import { feeOf, type TwinTransfer } from "./paystack-twin-books.ts";
import { createReconciledApp } from "./reconciled-app.ts";

export async function createComparedDays(firstDay: string) {
  const app = await createReconciledApp();
  const twin = app.keep(await startPaystackTwin());
  const credentials = { secretKey: "sk_live_twin" };
  const wanted = { provider: "paystack", mode: "live", ports: ["bank"], baseUrl: twin.url, credentials };
  const connectAs = (name: string) => app.connect({ ...wanted, name });
  const connection = await connectAs("Paystack");
  await app.operate("PUT", "/operator/routes/bank", { connections: [connection] });

  let days = 0;
  let date = firstDay;
  beforeEach(() => {
    days += 1;
    date = String(Temporal.PlainDate.from(firstDay).add({ days: days * 4 }));
    twin.behave();
    twin.bank.listed.behave();
    twin.bank.outcome = "success";
    twin.bank.listsReferences = true;
  });

  /** A moment of the test's day, or of one so many days later. */
  const at = (time: string, plusDays = 0) =>
    new Date(`${Temporal.PlainDate.from(date).add({ days: plusDays })}T${time}+01:00`);
  return {
    app,
    twin,
    connection,
    connectAs,
    at,
    date: (plusDays = 0) => String(Temporal.PlainDate.from(date).add({ days: plusDays })),
    compare: (plusDays = 0, of = connection) =>
      app.compare(of, String(Temporal.PlainDate.from(date).add({ days: plusDays }))),
    /** A payout that both sides have at this moment. */
    pay: async (moment = at("12:00:00"), options: { readonly amount?: number; readonly reference?: string } = {}) => {
      const order = await app.payAt(moment, options);
      twin.bank.listed.change(order.sessionId, { createdAt: moment });
      return order;
    },
    /** A payout that nobody of ours ordered. */
    stranger: (changes: Partial<TwinTransfer> = {}): TwinTransfer => ({
      id: 4242,
      reference: "somebody-elses-order",
      amount: 700_000,
      fee: feeOf(700_000),
      recipient: twin.bank.keepRecipient({ name: "Thief", accountNumber: "0000000009", bankCode: "058" }),
      reason: "",
      createdAt: at("13:00:00"),
      status: "success",
      ...changes,
    }),
  };
}

export function kindsOf({ exceptions }: { readonly exceptions: readonly { readonly kind: string }[] }): string[] {
  return exceptions.map(({ kind }) => kind);
}
