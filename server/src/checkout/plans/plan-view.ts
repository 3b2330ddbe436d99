/** All that a plan's page shows at the moment, read in one transaction. */

import { type LoanView, type RepaymentView, readRepayments } from "../../lending/account/read-loan-account.ts";
import { dueParts } from "../../lending/position/instalment.ts";
import { annualRateOf } from "../../lending/pricing/annual-rate.ts";
import { ratePercent } from "../../lending/pricing/product.ts";
import { readProfile } from "../../merchants/profile.ts";
import { add, sum } from "../../money/arithmetic.ts";
import { type Kobo, nairaNumber, zeroKobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { maskPhone } from "../../platform/phone-number.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { isAfter, lagosDate } from "../../platform/time/lagos-date.ts";
import { findDefaultCard } from "../cards/card-store.ts";
import type { Charge } from "../cards/charge.ts";
import { findNewestCharge, openConfirmUrl, type PayingCard, readPayingCards } from "../cards/charge-store.ts";
import { showCard } from "../cards/show-card.ts";
import { findRecord } from "../consent/consent-store.ts";
import { discloseAgreed } from "../consent/disclosure.ts";
import { showCode } from "../consent/show-code.ts";
import type { CheckoutLoan } from "../loans/checkout-loan.ts";
import type { Lending } from "../loans/lender.ts";
import { readCheckoutLoanView } from "../loans/read-checkout-loan.ts";
import { findSession } from "../sessions/session-store.ts";
import { readEntryRequest, requireVisit } from "./enter-plan.ts";
import type { DoorView, PlanView } from "./plan-schemas.ts";

export async function readDoorView(tx: Tx, pageId: string): Promise<DoorView> {
  const { kind: environment } = tx.environment;
  const { displayName: merchantName, logoPath: merchantLogo } = await readProfile(tx);
  const code = showCode(await readEntryRequest(tx, pageId));
  return { environment, merchantName, merchantLogo, code, now: tx.environment.clock.now().toISOString() };
}

export interface PlanViewDependencies extends Lending {
  readonly sealer: Sealer;
}

export async function readPlanView(tx: Tx, deps: PlanViewDependencies, visitId: string): Promise<PlanView> {
  const { visit, customer, loan } = await requireVisit(tx, visitId);
  const { kind: environment } = tx.environment;
  const { displayName: merchantName, logoPath: merchantLogo } = await readProfile(tx);
  const view = await readCheckoutLoanView(tx, loan);
  const agreed = (await findRecord(tx, loan.id))?.terms;
  const now = tx.environment.clock.now();
  return {
    reference: loan.accountId,
    status: loan.status,
    environment,
    merchantName,
    merchantLogo,
    orderReference: await orderOf(tx, loan),
    customer: {
      name: `${customer.firstName} ${customer.lastName}`,
      firstName: customer.firstName,
      phone: maskPhone(customer.phone),
    },
    ...showFigures(view),
    annualRate: agreed?.annual_rate ?? annualRate(view),
    ...showDebt(view, now),
    canPay: loan.status === "active" || loan.status === "overdue",
    schedule: view.projected.map(showInstalment),
    card: showCard(await findDefaultCard(tx, customer.id)),
    charge: await showCharge(tx, deps.sealer, await findNewestCharge(tx, loan.id)),
    payments: await readPayments(tx, loan),
    disclosure: discloseAgreed(deps, agreed, { merchant: merchantName, product: view.product, kind: environment }),
    expiresAt: visit.expiresAt.toISOString(),
    now: now.toISOString(),
  };
}

async function orderOf(tx: Tx, { sessionId }: CheckoutLoan): Promise<string | null> {
  return sessionId === null ? null : ((await findSession(tx, sessionId))?.orderReference ?? null);
}

function showFigures({ account, rate, figures, credit }: LoanView) {
  return {
    startedAt: account.disbursedAt?.toISOString() ?? null,
    amount: nairaNumber(account.amount),
    tenor: account.tenor,
    interestRate: ratePercent(rate),
    totalInterest: nairaNumber(figures.totalInterest),
    totalFees: nairaNumber(figures.totalFees),
    lateFees: nairaNumber(figures.lateFees),
    totalRepayment: nairaNumber(figures.totalRepayment),
    paid: nairaNumber(figures.paid),
    balance: nairaNumber(figures.balance),
    credit: nairaNumber(credit),
  };
}

/** Consents from before it was told have no yearly rate: it is computed from the plan of today. */
function annualRate({ account, projected }: LoanView): number {
  const instalments = projected.map((each) => ({ ...each, ...dueParts(each) }));
  return ratePercent(annualRateOf({ ...account, instalments }));
}

function showDebt({ projected, settlement }: LoanView, now: Date) {
  const today = lagosDate(now);
  const open = projected.filter(({ balance }) => balance > 0n);
  const [next] = open;
  const due = sum(open.filter(({ dueDate }) => !isAfter(dueDate, today)).map(({ balance }) => balance));
  return {
    next:
      next === undefined
        ? null
        : {
            number: next.number,
            amount: nairaNumber(next.balance),
            dueDate: next.dueDate.toString(),
            isLate: isAfter(today, next.dueDate),
          },
    due: nairaNumber(due),
    settlement: nairaNumber(settlement.amount),
  };
}

function showInstalment(instalment: LoanView["projected"][number]): PlanView["schedule"][number] {
  return {
    number: instalment.number,
    dueDate: instalment.dueDate.toString(),
    amount: nairaNumber(add(instalment.amountDue, instalment.lateFee)),
    lateFee: nairaNumber(instalment.lateFee),
    paid: nairaNumber(instalment.amountPaid),
    balance: nairaNumber(instalment.balance),
    status: instalment.status,
  };
}

async function showCharge(tx: Tx, sealer: Sealer, charge: Charge | undefined): Promise<PlanView["charge"]> {
  if (charge === undefined) return null;
  return {
    amount: nairaNumber(charge.amount),
    status: charge.status,
    kind: charge.kind,
    startedAt: charge.createdAt.toISOString(),
    reason: charge.failure?.message ?? null,
    confirmUrl: await openConfirmUrl(tx, sealer, charge.id),
  };
}

/** More than a plan ever has; a list needs an end. */
const mostPayments = 100;

async function readPayments(tx: Tx, loan: CheckoutLoan): Promise<PlanView["payments"]> {
  const { repayments } = await readRepayments(tx, loan.accountId, { page: 1, limit: mostPayments });
  const cards = await readPayingCards(tx, loan.id);
  return repayments.map((repayment) => showPayment(repayment, cards.get(repayment.id) ?? null));
}

function showPayment(repayment: RepaymentView, card: PayingCard | null): PlanView["payments"][number] {
  const { id, amount, channel, recordedAt, reversedAt, allocation } = repayment;
  const part = (choose: (paid: NonNullable<typeof allocation>) => Kobo) =>
    nairaNumber(allocation === null ? zeroKobo : choose(allocation));
  return {
    id,
    amount: nairaNumber(amount),
    paidAt: recordedAt.toISOString(),
    channel,
    card,
    principal: part((paid) => paid.principal),
    interest: part((paid) => paid.interest),
    fees: part((paid) => add(paid.fees, paid.lateFee)),
    credit: part((paid) => paid.credit),
    refunded: part((paid) => paid.refunded),
    status: reversedAt === null ? "successful" : "reversed",
  };
}
