/** How much of what comes in reaches wallets by itself: an operator reads and sets it. */
import { type Static, Type } from "typebox";
import { nairaNumber } from "../money/kobo.ts";
import { named } from "../platform/http/named-schema.ts";
import { describeRoute, type Route } from "../platform/http/route.ts";
import { Nullable, readNaira, Timestamp } from "../platform/http/wire.ts";
import { originOf } from "../platform/records/audit.ts";
import { setCeiling } from "./apply-ceiling.ts";
import { type InboundCeiling, type SetCeiling, startingCeiling } from "./inbound-ceiling.ts";
import { findCeiling } from "./inbound-ceiling-store.ts";

const amount = (description: string) =>
  Type.Number({ format: "naira", exclusiveMinimum: 0, maximum: 100_000_000_000, description });

const figures = {
  perCredit: amount("The largest single credit that is booked by itself."),
  perDay: amount("How much one wallet is credited by itself in a day, 00:00 to 24:00 in Lagos; at least perCredit."),
};
const exampleFigures = { perCredit: 20_000_000, perDay: 500_000_000 };
const exampleReason = "Mama Put Ltd is paid by two supermarkets";

const ceilingBody = named(
  "NewInboundCeiling",
  Type.Object(
    {
      ...figures,
      reason: Type.String({ minLength: 1, maxLength: 2_000, pattern: "\\S", description: "Kept in the audit trail." }),
    },
    { examples: [{ ...exampleFigures, reason: exampleReason }] },
  ),
);

const ceilingData = named(
  "InboundCeiling",
  Type.Object(
    {
      ...figures,
      reason: Nullable(Type.String({ description: "Null until an operator has set the figures." })),
      setAt: Nullable(Timestamp),
    },
    { examples: [{ ...exampleFigures, reason: exampleReason, setAt: "2026-11-03T09:00:00.000Z" }] },
  ),
);

const common = { path: "/operator/inbound-ceilings", tag: "Operator" } as const;

export function ceilingRoutes(): Route[] {
  return [readRoute(), setRoute()];
}

function readRoute(): Route {
  return describeRoute("operator", {
    ...common,
    method: "GET",
    operationId: "getInboundCeiling",
    summary: "Read the ceilings of incoming money",
    description: "How much of what providers take in goes to a wallet by itself. What is above waits in suspense.",
    reply: { status: 200, message: "Ceilings retrieved.", data: ceilingData },
    handle: ({ read }) => read(async (tx) => ({ data: present((await findCeiling(tx)) ?? startingCeiling) })),
  });
}

function setRoute(): Route {
  return describeRoute("operator", {
    ...common,
    method: "PUT",
    operationId: "setInboundCeiling",
    summary: "Set the ceilings of incoming money",
    description:
      "For all wallets, from the next credit on. What waits in suspense stays there until it is assigned. Recorded in the audit trail.",
    body: ceilingBody,
    reply: { status: 200, message: "Ceilings set.", data: ceilingData },
    handle: (request) =>
      request.write(async (tx) => {
        const { perCredit, perDay, reason } = request.body;
        const wanted = { perCredit: readNaira(perCredit), perDay: readNaira(perDay), reason };
        return { data: present(await setCeiling(tx, wanted, originOf(request))) };
      }),
  });
}

function present(ceiling: InboundCeiling | SetCeiling): Static<typeof ceilingData> {
  const { perCredit, perDay } = ceiling;
  const set = "setAt" in ceiling ? { reason: ceiling.reason, setAt: ceiling.setAt.toISOString() } : null;
  return { perCredit: nairaNumber(perCredit), perDay: nairaNumber(perDay), ...(set ?? { reason: null, setAt: null }) };
}
