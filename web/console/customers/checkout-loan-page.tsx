/** A loan that a customer took at the checkout: where it stands, its plan, and what the merchant does with it. */
import { Link } from "@tanstack/react-router";
import { Allowed } from "../api/allowed.tsx";
import { useEnvironment } from "../api/place.ts";
import { askedNow, takesRepayments } from "../loans/loan.ts";
import {
  AmountField,
  CancelLoan,
  checkoutChannels,
  RecordRepayment,
  ReferenceField,
  RefundCredit,
} from "../loans/loan-actions.tsx";
import { RepaymentsPanel } from "../loans/repayments-panel.tsx";
import { SchedulePanel } from "../loans/schedule-panel.tsx";
import { StandingPanel } from "../loans/standing-panel.tsx";
import { ActionButton } from "../parts/action-button.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { type Fact, Facts, Panel } from "../parts/facts.tsx";
import { AreaField } from "../parts/fields.tsx";
import { counted, naira, typedNaira, words } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { RecordView, useId } from "../parts/record-view.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
import { TracePanel } from "../trace/trace-panel.tsx";
import type { CheckoutLoanRecord } from "./customer.ts";

const beforePayout = ["pending_consent", "pending_card", "approved"];
const paidOut = ["disbursed", "active", "overdue", "completed"];

export function CheckoutLoanPage() {
  const base = `/loans/bnpl/loans/${useId()}`;
  const again = (loan: CheckoutLoanRecord | undefined) =>
    [...beforePayout, "disbursed"].includes(loan?.status ?? "") ? 3_000 : false;
  return (
    <RecordView<CheckoutLoanRecord> path={base} again={again}>
      {(loan) => (
        <div className="grid gap-4">
          <PageHead
            title={`${naira(loan.amount)} over ${counted(loan.tenor, "month")}`}
            about={
              <span className="flex flex-wrap items-center gap-2">
                <StatusChip status={loan.status} />
                <span className="break-all">{loan.reference}</span>
                <CopyButton text={loan.id} label="Copy the id" bare />
              </span>
            }
          >
            <Allowed change="checkout">
              <Actions base={base} loan={loan} />
            </Allowed>
          </PageHead>
          {paidOut.includes(loan.status) ? (
            <StandingPanel schedule={loan.schedules} balance={loan.balance} credit={loan.credit} />
          ) : null}
          <Panel title="Checkout loan">
            <LoanFacts loan={loan} />
          </Panel>
          {loan.schedules.length === 0 ? null : <SchedulePanel schedule={loan.schedules} />}
          {paidOut.includes(loan.status) ? <RepaymentsPanel base={base} /> : null}
          <TracePanel id={loan.id} />
        </div>
      )}
    </RecordView>
  );
}

interface ActionsProps {
  readonly base: string;
  readonly loan: CheckoutLoanRecord;
}

function Actions({ base, loan }: ActionsProps) {
  return (
    <>
      {takesRepayments(loan.status) ? (
        <RecordRepayment base={base} amount={askedNow(loan.schedules)} channels={checkoutChannels} />
      ) : null}
      {paidOut.includes(loan.status) ? (
        <>
          <RefundGoods base={base} />
          <CustomerLink base={base} />
        </>
      ) : null}
      <RefundCredit base={base} amount={loan.credit} channels={checkoutChannels} />
      {beforePayout.includes(loan.status) ? <CancelLoan base={base} /> : null}
    </>
  );
}

function RefundGoods({ base }: { readonly base: string }) {
  return (
    <ActionButton
      label="Refund order"
      about="For returned goods: money from your main wallet reduces what the customer owes."
      fields={
        <>
          <AmountField />
          <AreaField label="Reason" name="reason" maxLength={500} required />
          <ReferenceField prefix="refund" />
        </>
      }
      request={(form) => ({
        path: `${base}/refund`,
        body: { amount: typedNaira(form("amount")), reason: form("reason"), reference: form("reference") },
      })}
    />
  );
}

function CustomerLink({ base }: { readonly base: string }) {
  return (
    <ActionButton<{ url: string; expires_at: string }>
      label="Customer's page"
      confirm="Get the link"
      about="The customer sees the plan there, pays early and changes the card, after a code to their phone."
      request={() => ({ path: `${base}/page`, body: {} })}
      result={({ url, expires_at }) => (
        <div className="grid gap-3">
          <p>
            The link works until <Moment at={expires_at} />.
          </p>
          <div>
            <CopyButton text={url} label="Copy the customer's link" />
          </div>
        </div>
      )}
    />
  );
}

function LoanFacts({ loan }: { readonly loan: CheckoutLoanRecord }) {
  const { at } = useEnvironment();
  const needs = loan.requirements.filter(({ status }) => status === "pending").map(({ type }) => words(type));
  const facts: Fact[] = [
    [
      "Customer",
      <Link
        key="customer"
        to={at(`/customers/${loan.customer_id}`)}
        className="text-brand underline underline-offset-4"
      >
        Open the customer
      </Link>,
    ],
    ["Still needed", needs.length === 0 ? "Nothing" : needs.join(", ")],
    ["Paid to", `${loan.account_name} · ${loan.bank_account_no} · ${loan.bank_name}`],
    ["Amount", <Money key="amount" amount={loan.amount} />],
    ["Instalment", <Money key="instalment" amount={loan.installment_amount} />],
    ["To repay in all", <Money key="total" amount={loan.total_repayment} />],
    ["Interest in all", <Money key="interest" amount={loan.total_interest} />],
    ["Interest per month", `${loan.interest_rate} %`],
    ["Created", <Moment key="created" at={loan.created_at} />],
    [
      "Id",
      <span key="id" className="font-mono text-xs">
        {loan.id}
      </span>,
    ],
  ];
  return <Facts facts={facts} />;
}
