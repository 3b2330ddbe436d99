/**
 * What the plan's page calls: the door with the address's token, everything behind it with the visit's. Every answer
 * behind the door is the whole view: the page remembers nothing of its own.
 */
import type { Database, Tx } from "../../platform/database/database.ts";
import { describeRoute, type Route, type RouteRequest } from "../../platform/http/route.ts";
import { readNaira } from "../../platform/http/wire.ts";
import type { CardRails, MessageRails } from "../../rails/desk.ts";
import { chargeCard, declinedProblem } from "../cards/charge-card.ts";
import type { ChargeDependencies } from "../cards/charge-order.ts";
import { createCardLink, type LinkDependencies } from "../cards/create-card-link.ts";
import type { Lending } from "../loans/lender.ts";
import { inPageWords } from "../pages/page-words.ts";
import { linkAddress, otpBody } from "../pages/schemas.ts";
import { answerEntry, beginVisit, requestEntry, requireVisit } from "./enter-plan.ts";
import { endVisit, insertPlanCardLink } from "./plan-page-store.ts";
import { doorView, type EnteredView, enteredView, leftView, type PlanView, payBody, planView } from "./plan-schemas.ts";
import { readDoorView, readPlanView } from "./plan-view.ts";

export interface PlanPageDependencies extends Lending, LinkDependencies, ChargeDependencies {
  readonly db: Database;
  readonly rails: CardRails & MessageRails;
}

const door = "plan" as const;
const visit = "plan-visit" as const;

export function planPageRoutes(deps: PlanPageDependencies): Route[] {
  return [
    readDoorRoute(),
    codeRoute(deps),
    enterRoute(deps),
    readRoute(deps),
    payRoute(deps),
    cardLinkRoute(deps),
    leaveRoute(),
  ];
}

function readDoorRoute(): Route {
  return describeRoute("page", {
    method: "GET",
    path: "/hosted/plan",
    page: door,
    summary: "Read the door",
    description: "Nothing of the customer: the caller has proved nothing yet.",
    reply: { status: 200, message: "Page retrieved.", data: doorView },
    handle: ({ page: { pageId }, read }) => read(async (tx) => ({ data: await readDoorView(tx, pageId) })),
  });
}

function codeRoute(deps: PlanPageDependencies): Route {
  return describeRoute("page", {
    method: "POST",
    path: "/hosted/plan/code",
    page: door,
    summary: "Send a code",
    description: "To the phone on record, within the limits of every code.",
    reply: { status: 200, message: "Code sent.", data: doorView },
    problems: ["otp_resend_too_early", "otp_limit_reached", "rail_not_configured"],
    handle: ({ page: { pageId }, write }) =>
      inPageWords(() =>
        write(async (tx) => {
          await requestEntry(tx, deps, pageId);
          return { data: await readDoorView(tx, pageId) };
        }),
      ),
  });
}

function enterRoute(deps: PlanPageDependencies): Route {
  return describeRoute("page", {
    method: "POST",
    path: "/hosted/plan/enter",
    page: door,
    summary: "Enter the code",
    description: "Begins a visit of half an hour. A try is counted before it is looked at.",
    body: otpBody,
    reply: { status: 200, message: "Come in.", data: enteredView },
    problems: ["otp_invalid", "otp_expired", "otp_attempts_exceeded", "otp_not_requested"],
    handle: (request) =>
      inPageWords(async () => {
        const kept = await request.kept<EnteredView>();
        if (kept !== undefined) return kept;
        const { environmentId, pageId } = request.page;
        const answered = await answerEntry(deps, { environmentId, pageId, otp: request.body.otp });
        return request.write(async (tx) => {
          const { visit: begun, token: visitToken } = await beginVisit(tx, answered);
          return { data: { visitToken, expiresAt: begun.expiresAt.toISOString() } };
        });
      }),
  });
}

function readRoute(deps: PlanPageDependencies): Route {
  return describeRoute("page", {
    method: "GET",
    path: "/hosted/plan/visit",
    page: visit,
    summary: "Read the plan",
    description: "Everything that the page shows.",
    reply: { status: 200, message: "Plan retrieved.", data: planView },
    problems: ["page_ended"],
    handle: ({ page: { pageId }, read }) => read(async (tx) => ({ data: await readPlanView(tx, deps, pageId) })),
  });
}

function payRoute(deps: PlanPageDependencies): Route {
  return describeRoute("page", {
    method: "POST",
    path: "/hosted/plan/visit/pay",
    page: visit,
    summary: "Pay with the linked card",
    description:
      "One press is one payment, however often it arrives. Refused when the customer was looking at another balance than there is: another tab, or the morning's collection, was faster.",
    body: payBody,
    reply: { status: 200, message: "Payment taken or under way.", data: planView },
    problems: [
      "page_ended",
      "invalid_state",
      "balance_changed",
      "card_not_linked",
      "charge_in_progress",
      "card_declined",
      "card_charge_too_soon",
      "amount_out_of_band",
      "reference_conflict",
      "rail_not_configured",
    ],
    handle: (request) => inPageWords(() => pay(deps, request)),
  });
}

type Payment = RouteRequest<
  "page",
  unknown,
  unknown,
  { readonly amount: number; readonly owed: number; readonly press: string }
>;

async function pay(deps: PlanPageDependencies, request: Payment) {
  const kept = await request.kept<PlanView>();
  if (kept !== undefined) return kept;
  const { environmentId, pageId: visitId } = request.page;
  const { amount, owed, press } = request.body;
  const look = (tx: Tx) => requireVisit(tx, visitId);
  const { loan, visit: at } = await request.read(look);
  const { charge } = await chargeCard(deps, {
    environmentId,
    loanId: loan.id,
    amount: readNaira(amount),
    owed: readNaira(owed),
    // With the page's id: nobody can name another customer's payment, nor one of the merchant's.
    reference: `plan-${at.pageId}-${press.toLowerCase()}`,
  });
  if (charge.status === "failed") throw declinedProblem(charge);
  // A write, though it only reads: in a sandbox that stands still it has what follows the payment done at once.
  return request.write(async (tx) => ({ data: await readPlanView(tx, deps, visitId) }));
}

function cardLinkRoute(deps: PlanPageDependencies): Route {
  return describeRoute("page", {
    method: "POST",
    path: "/hosted/plan/visit/card-link",
    page: visit,
    summary: "Go to the card page",
    description: "Makes a link for a card; its page leads back to the plan.",
    reply: { status: 200, message: "Card page opened.", data: linkAddress },
    problems: ["page_ended", "card_link_limit_reached", "rail_not_configured"],
    handle: (request) =>
      inPageWords(() =>
        request.write(async (tx) => {
          const { customer, visit: at } = await requireVisit(tx, request.page.pageId);
          const link = await createCardLink(tx, deps, { customerId: customer.id, callbackUrl: null });
          await insertPlanCardLink(tx, link.id, at.pageId);
          return { data: { url: link.url } };
        }),
      ),
  });
}

function leaveRoute(): Route {
  return describeRoute("page", {
    method: "POST",
    path: "/hosted/plan/visit/leave",
    page: visit,
    summary: "Leave",
    description: "Ends the visit: this browser needs a new code to come in again.",
    reply: { status: 200, message: "Good-bye.", data: leftView },
    handle: ({ page: { pageId }, write }) =>
      write(async (tx) => {
        await endVisit(tx, pageId);
        return { data: { left: true as const } };
      }),
  });
}
