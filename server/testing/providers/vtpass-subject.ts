/** A VTpass connection on its twin, ready to be tested. */
import { randomUUID } from "node:crypto";
import { kobo } from "../../src/money/kobo.ts";
import { lagosTime } from "../../src/platform/time/lagos-date.ts";
import type { VendOrder } from "../../src/rails/biller.ts";
import type { Connected } from "../../src/rails/provider.ts";
import { vtpass } from "../../src/rails/vtpass/provider.ts";
import type { BillerSubject } from "./biller-contract.ts";
import { startVtpassTwin, type VtpassTwin, type VtpassTwinOptions, vtpassKeys } from "./vtpass-twin.ts";

export interface ConnectedTwin extends BillerSubject {
  readonly twin: VtpassTwin;
  readonly connected: Connected;
  /** An order under a new id of the twin's present minute, for a customer of its own. */
  newOrder(change?: Partial<VendOrder>): VendOrder;
}

export async function connectVtpassTwin(
  options: VtpassTwinOptions = {},
  credentials: Readonly<Record<string, string>> = vtpassKeys,
): Promise<ConnectedTwin> {
  const twin = await startVtpassTwin(options);
  const connected = vtpass.connect({ connectionId: randomUUID(), mode: "test", baseUrl: twin.baseUrl, credentials });
  const { biller } = connected;
  if (biller === undefined) throw new Error("VTpass is connected without its biller");
  const newOrder = (change: Partial<VendOrder> = {}) => prepaidOrder(twin.books.now(), change);
  return {
    twin,
    connected,
    rail: biller,
    newOrder,
    order: (fate) => {
      if (fate === "pending") twin.fates.push("pending");
      if (fate === "refused") twin.fates.push("failed");
      if (fate === "reply_lost") twin.misbehave(["lost_reply"], "POST /api/pay");
      return newOrder();
    },
    finish: async ({ requestId }, to) => {
      twin.books.settle(requestId, to === "refused" ? "failed" : to);
    },
    deliveries: async ({ requestId }) => twin.books.transactions.get(requestId)?.deliveries ?? 0,
    tellsTakenBack: true,
    unknownMeter: "99999999999",
  };
}

let made = 0;

/** Each for another meter: VTpass refuses the same twice within 30 seconds. */
function prepaidOrder(now: Date, change: Partial<VendOrder>): VendOrder {
  made += 1;
  const { year, month, day, hour, minute } = lagosTime(now);
  const digits = [month, day, hour, minute].map((part) => String(part).padStart(2, "0")).join("");
  return {
    environmentId: "00000000-0000-7000-8000-000000000001",
    requestId: `${year}${digits}${randomUUID().replaceAll("-", "")}`,
    category: "electricity",
    provider: "ikeja-electric",
    customer: String(45_000_000_000 + made),
    meterType: "prepaid",
    productCode: "ikeja-electric-prepaid",
    subscriptionType: null,
    amount: kobo(500_000n),
    phoneNumber: "+2348031234567",
    reference: `r-${made}`,
    ...change,
  };
}
