/** Confirming a change of contact data, by the merchant with the customer's code or by an operator. */
import { Type } from "typebox";
import { readEnvironment, type Tx, visitEnvironment } from "../../platform/database/database.ts";
import { describeRoute, type Route } from "../../platform/http/route.ts";
import { IdParams } from "../../platform/http/wire.ts";
import { commonProblem } from "../../platform/problem.ts";
import { originOf, recordAudit } from "../../platform/records/audit.ts";
import {
  type AnswerDependencies,
  type AnsweredCode,
  requireAnswered,
  takeAnswer,
  useUp,
} from "../consent/answer-code.ts";
import { replaceLiveCodes } from "../consent/consent-store.ts";
import type { CodeDependencies } from "../consent/issue-code.ts";
import { verifyBody } from "../consent/schemas.ts";
import { type ContactChange, shownChangeStatus } from "../customers/contact-change.ts";
import { endChange, readChanges } from "../customers/contact-change-store.ts";
import type { Customer } from "../customers/customer.ts";
import { updateContact } from "../customers/customer-store.ts";
import { presentCustomer } from "../customers/present-customer.ts";
import { requirePendingChange } from "../customers/read-contact-change.ts";
import { requireCustomer, requireCustomerEnvironment } from "../customers/read-customer.ts";
import {
  ChangeParams,
  customerData,
  OperatorChangeParams,
  operatorChange,
  type PresentedCustomer,
  Reason,
  sentChangeCode,
} from "../customers/schemas.ts";
import { lockLoansOf } from "../loans/checkout-loan-store.ts";
import { cancelCheckoutLoan } from "../loans/end-checkout-loan.ts";
import type { LoanFollowing } from "../loans/loan-moved.ts";
import { resendCode } from "./propose-contact-change.ts";

export type ContactChangeDependencies = AnswerDependencies & CodeDependencies & LoanFollowing;

const notFound = ["checkout_customer_not_found", "contact_change_not_found", "invalid_state"] as const;
const ofKey = { tag: "Checkout", scope: "checkout:write", method: "POST", params: ChangeParams } as const;
const path = "/loans/bnpl/customers/{customerId}/contact-changes/{changeId}";
const verbs = ["approve", "reject"] as const;
const operatorPath = "/operator/customers/{id}/contact-changes";

export function contactChangeRoutes(deps: ContactChangeDependencies): Route[] {
  return [verifyRoute(deps), resendRoute(deps), listRoute(deps), ...verbs.map((verb) => decideRoute(deps, verb))];
}

function verifyRoute(deps: ContactChangeDependencies): Route {
  return describeRoute("key", {
    ...ofKey,
    path: `${path}/verify`,
    operationId: "verifyContactChange",
    summary: "Confirm new contact data",
    description:
      "Takes the code that was sent to the phone on record. The change then takes effect. After a new phone a card has to be linked again before the customer can borrow, and loans that waited for a card are cancelled; loans that are out are collected as before.",
    body: verifyBody,
    reply: { status: 200, title: "Customer", message: "Contact data changed", data: customerData },
    problems: [...notFound, "otp_not_requested", "otp_invalid", "otp_expired", "otp_attempts_exceeded"],
    handle: async (request) => {
      const kept = await request.kept<PresentedCustomer>();
      if (kept !== undefined) return kept;
      const { params: key, body, caller } = request;
      const answered = await answerChange(deps, { ...key, environmentId: caller.environmentId, otp: body.otp });
      return request.write(async (tx) => ({
        data: await presentCustomer(tx, await confirmChange(tx, deps, { key, answered })),
      }));
    },
  });
}

function resendRoute(deps: ContactChangeDependencies): Route {
  return describeRoute("key", {
    ...ofKey,
    path: `${path}/resend`,
    operationId: "resendContactChangeCode",
    summary: "Send another code for new contact data",
    description:
      "To the phone on record; an earlier code stops working. After 60 s, 3 within 10 minutes, 10 a day for one customer. If the customer has lost that phone, ask the operator.",
    reply: { status: 200, title: "Contact change", message: "Code sent", data: sentChangeCode },
    problems: [...notFound, "otp_resend_too_early", "otp_limit_reached", "rail_not_configured"],
    handle: ({ params, write }) =>
      write(async (tx) => {
        const { subject, channel, destination, expiresAt, resendAt } = await resendCode(tx, deps, params);
        const times = { expires_at: expiresAt.toISOString(), resend_after: resendAt.toISOString() };
        return { data: { id: subject.id, channel, destination, ...times } };
      }),
  });
}

function listRoute({ db }: ContactChangeDependencies): Route {
  return describeRoute("operator", {
    method: "GET",
    path: operatorPath,
    operationId: "listContactChanges",
    tag: "Operator",
    summary: "List a customer's contact changes",
    description: "The requested changes, newest first, to compare with what the customer can prove.",
    params: IdParams,
    reply: { status: 200, message: "Contact changes retrieved.", data: Type.Array(operatorChange) },
    problems: ["checkout_customer_not_found", "invalid_state"],
    handle: async ({ params, read }) => {
      const find = (tx: Tx) => requireCustomerEnvironment(tx, params.id);
      const environmentId = await read(find);
      const look = async (tx: Tx) => ({
        data: (await readChanges(tx, params.id)).map((change) => presentForOperator(tx, change)),
      });
      return readEnvironment(db, environmentId, look);
    },
  });
}

function decideRoute(deps: ContactChangeDependencies, verb: (typeof verbs)[number]): Route {
  const to = verb === "approve" ? "approved" : "rejected";
  return describeRoute("operator", {
    method: "POST",
    path: `${operatorPath}/{changeId}/${verb}`,
    operationId: `${verb}ContactChange`,
    tag: "Operator",
    summary: verb === "approve" ? "Approve new contact data" : "Reject new contact data",
    description:
      verb === "approve"
        ? "For a customer who has lost the phone on record and has proved who they are. It takes effect at once."
        : "Nothing changes. The same data can be asked for again.",
    params: OperatorChangeParams,
    body: Type.Object({ reason: Reason }),
    reply: { status: 200, message: `Contact change ${to}.`, data: operatorChange },
    problems: [...notFound],
    handle: (request) =>
      request.write(async (tx) => {
        const { id: customerId, changeId } = request.params;
        const { reason } = request.body;
        const environmentId = await requireCustomerEnvironment(tx, customerId);
        const decide = async (inside: Tx) => {
          const change = await decideChange(inside, deps, { key: { customerId, changeId }, to, reason });
          return presentForOperator(inside, change);
        };
        const data = await visitEnvironment(tx, environmentId, decide, "in order");
        await recordAudit(tx, originOf(request), {
          action: `customer.contact-change.${verb}`,
          subjectType: "customer",
          subjectId: customerId,
          environmentId,
          detail: { changeId, reason },
        });
        return { data };
      }),
  });
}

function presentForOperator(tx: Tx, change: ContactChange) {
  const { id, customerId, phone, email, address } = change;
  const status = shownChangeStatus(change, tx.environment.clock.now());
  const times = { createdAt: change.createdAt.toISOString(), expiresAt: change.expiresAt.toISOString() };
  return { id, customerId, status, phone, email, address, ...times };
}

/** How a change of contact data takes effect: by the right code, or by an operator. */
interface ChangeKey {
  readonly customerId: string;
  readonly changeId: string;
}

/** Takes a try of the change's code. Throws one of the otp_ problems unless the digits are right. */
function answerChange(
  deps: AnswerDependencies,
  { environmentId, otp, ...key }: ChangeKey & { readonly environmentId: string; readonly otp: string },
): Promise<AnsweredCode> {
  return takeAnswer(deps, {
    environmentId,
    otp,
    subject: { kind: "contact_change", id: key.changeId },
    requireWaiting: async (tx) => {
      await requireCustomer(tx, key.customerId);
      return requirePendingChange(tx, key);
    },
  });
}

/** Throws what has come first: another answer, a decision, a later change. */
async function confirmChange(
  tx: Tx,
  deps: LoanFollowing,
  { key, answered }: { readonly key: ChangeKey; readonly answered: AnsweredCode },
): Promise<Customer> {
  const customer = await requireCustomer(tx, key.customerId, { lock: true });
  const change = await requirePendingChange(tx, key);
  if (!(await useUp(tx, await requireAnswered(tx, answered)))) throw commonProblem("invalid_state");
  return takeEffect(tx, deps, { customer, change, to: "confirmed", reason: null });
}

interface ChangeDecision {
  readonly key: ChangeKey;
  readonly to: "approved" | "rejected";
  readonly reason: string;
}

/** By an operator. */
async function decideChange(tx: Tx, deps: LoanFollowing, decision: ChangeDecision): Promise<ContactChange> {
  const { key, to, reason } = decision;
  const customer = await requireCustomer(tx, key.customerId, { lock: true });
  const change = await requirePendingChange(tx, key);
  if (to === "rejected") await end(tx, change, { to, reason });
  else await takeEffect(tx, deps, { customer, change, to, reason });
  return { ...change, status: to };
}

interface Taking {
  readonly customer: Customer;
  readonly change: ContactChange;
  readonly to: "confirmed" | "approved";
  readonly reason: string | null;
}

/** Locks: the customer, by the caller, so that nobody consents or links a card meanwhile; then the loans. */
async function takeEffect(tx: Tx, deps: LoanFollowing, { customer, change, to, reason }: Taking): Promise<Customer> {
  await end(tx, change, { to, reason });
  await updateContact(tx, customer.id, change);
  if (change.phone !== null) {
    await replaceLiveCodes(tx, customer.id);
    // Consented to from the old phone: a card that is linked under the new one must not complete it.
    for (const loan of await lockLoansOf(tx, customer, ["pending_card"])) await cancelCheckoutLoan(tx, deps, loan);
  }
  return requireCustomer(tx, customer.id);
}

async function end(tx: Tx, { id }: ContactChange, how: Parameters<typeof endChange>[2]): Promise<void> {
  if (!(await endChange(tx, id, how))) throw commonProblem("invalid_state");
}
