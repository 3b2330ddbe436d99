import { randomUUID } from "node:crypto";
import { createTestDatabase } from "../../../testing/database.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { type BillerSubject, billerContract, wrongBillers } from "../../../testing/providers/biller-contract.ts";
import { keepContract } from "../../../testing/providers/keep-contract.ts";
import { kobo } from "../../money/kobo.ts";
import { createSimulatedBiller } from "./simulated-biller.ts";
import { findVend } from "./simulated-biller-store.ts";

const { db, pool } = await createTestDatabase();
const biller = createSimulatedBiller({ pool, db });
const environmentId = (await createMerchant(db)).environment.id;

const endings = { delivered: "", refused: "_FAIL", pending: "_PENDING", reply_lost: "_TIMEOUT" } as const;

const subject: BillerSubject = {
  rail: biller.rail,
  order: (fate) => ({
    environmentId,
    requestId: randomUUID(),
    category: "electricity",
    provider: "ikeja-electric",
    customer: "45012345678",
    meterType: "prepaid",
    productCode: "ikeja-electric-prepaid",
    subscriptionType: null,
    amount: kobo(500_000n),
    phoneNumber: null,
    reference: `${randomUUID()}${endings[fate]}`,
  }),
  finish: async (order, to) => {
    await biller.decide(order, to);
  },
  // Its books have one row for a request id.
  deliveries: async ({ requestId }) =>
    (await findVend(pool, environmentId, requestId))?.status === "delivered" ? 1 : 0,
  tellsTakenBack: false,
  unknownMeter: null,
};

keepContract("billers: the simulated one", billerContract, wrongBillers, async () => subject);
