import { useState } from "react";
import { Button } from "../shared/button.tsx";
import { formatDate } from "../shared/calendar.ts";
import { cardName } from "../shared/card-name.ts";
import { Figure } from "../shared/figure.tsx";
import { formatNaira } from "../shared/naira.ts";
import { Notice } from "../shared/notice.tsx";
import { ReturnLink } from "../shared/return-link.tsx";
import { StepHeading } from "../shared/step-heading.tsx";
import { Refused } from "./door.tsx";
import { PayForm } from "./pay-form.tsx";
import type { Charge, PlanView } from "./plan-view.ts";
import type { Plan } from "./use-plan.ts";

interface StatusPanelProps {
  readonly plan: Plan;
  readonly view: PlanView;
  onReceipt(id: string): void;
}

/** What comes next, and what the customer can do about it. */
export function StatusPanel({ plan, view, onReceipt }: StatusPanelProps) {
  // Only who has pressed is told how it went: others find it among the payments.
  const [pressed, setPressed] = useState(false);
  const problem = plan.problem ?? plan.failure;
  const waiting = view.charge?.status === "processing";
  return (
    <section className="panel stack" aria-label="What comes next">
      <Heading view={view} />
      {problem === null ? (
        <LastCharge view={view} pressed={pressed} onReceipt={onReceipt} />
      ) : (
        <Refused problem={problem} />
      )}
      {view.next === null || waiting ? null : <NextPayment plan={plan} view={view} />}
      {view.canPay && !waiting ? <PayForm plan={plan} view={view} onPress={() => setPressed(true)} /> : null}
    </section>
  );
}

function Heading({ view }: { readonly view: PlanView }) {
  const { next, merchantName, status, customer } = view;
  if (status === "written_off") {
    return (
      <StepHeading title="This plan was closed unpaid">Write to the lender about what is left to pay.</StepHeading>
    );
  }
  if (next === null) {
    const thanks = `Thank you, ${customer.firstName}. Nothing is left to pay at ${merchantName}.`;
    return <StepHeading title="All paid">{thanks}</StepHeading>;
  }
  if (!view.canPay) {
    const text = `The payment to ${merchantName} is being made again. Until then nothing is taken from your card.`;
    return <StepHeading title="Your plan is on hold">{text}</StepHeading>;
  }
  if (view.charge?.status === "processing") return <UnderWay charge={view.charge} />;
  if (next.isLate) {
    const fee = view.schedule.find(({ number }) => number === next.number)?.lateFee ?? 0;
    const advice = fee === 0 ? "Pay it now to avoid a late fee." : `A late fee of ${formatNaira(fee)} is in it.`;
    const text = `It was due on ${formatDate(next.dueDate)}. ${advice}`;
    return <StepHeading title={`${formatNaira(view.due)} is late`}>{text}</StepHeading>;
  }
  const text = `Hello ${customer.firstName}. You do not have to do anything: it is taken from your card.`;
  return <StepHeading title={`Next payment: ${formatNaira(next.amount)}`}>{text}</StepHeading>;
}

/** The bank owes an answer, and nobody knows for how long. */
function UnderWay({ charge: { amount, confirmUrl } }: { readonly charge: Charge }) {
  if (confirmUrl !== null) return <ToConfirm amount={amount} url={confirmUrl} />;
  return (
    <div className="waiting">
      <span className="spinner spinner-large" aria-hidden="true" />
      <div role="status">
        <StepHeading title="Your payment is under way">
          We are asking your bank for {formatNaira(amount)}. This can take a while. You may close this page: nothing is
          taken twice, and here you see how it went.
        </StepHeading>
      </div>
    </div>
  );
}

/** Nothing is taken until the customer has said so on the bank's own page. */
function ToConfirm({ amount, url }: { readonly amount: number; readonly url: string }) {
  return (
    <div className="stack" role="status">
      <StepHeading title={`Your bank asks about ${formatNaira(amount)}`}>
        Nothing is taken before you confirm it on your bank's page. Come back here afterwards.
      </StepHeading>
      <ReturnLink url={url}>Confirm this payment with your bank</ReturnLink>
    </div>
  );
}

interface LastChargeProps {
  readonly view: PlanView;
  readonly pressed: boolean;
  onReceipt(id: string): void;
}

function LastCharge({ view: { charge, payments, due }, pressed, onReceipt }: LastChargeProps) {
  if (charge === null) return null;
  const [newest] = payments;
  if (charge.status === "successful" && pressed && newest !== undefined) {
    return (
      <Notice tone="info" title={`${formatNaira(newest.amount)} is paid`}>
        <p role="status">Thank you. Your plan below is up to date.</p>
        <Button kind="link" onPress={() => onReceipt(newest.id)}>
          See the receipt
        </Button>
      </Notice>
    );
  }
  if (charge.status === "failed" && (pressed || due > 0)) {
    return (
      <Notice
        tone="problem"
        title={`Your bank declined ${formatNaira(charge.amount)} on ${formatDate(charge.startedAt)}`}
      >
        <p>{charge.reason ?? "The bank gave no reason."} Try again below, or change your card.</p>
      </Notice>
    );
  }
  return null;
}

function NextPayment({ plan, view: { next, card } }: { readonly plan: Plan; readonly view: PlanView }) {
  if (next === null) return null;
  return (
    <div className="next-payment">
      <dl className="figures figures-boxed">
        <Figure name={next.isLate ? "Was due on" : "Taken on"}>{formatDate(next.dueDate)}</Figure>
        <Figure name="From">{card === null ? "No card yet" : cardName(card)}</Figure>
      </dl>
      <Button
        kind="link"
        busy={plan.busy === "card-link"}
        busyText="Opening the card page"
        onPress={() => void plan.act("card-link")}
      >
        {card === null ? "Add a card" : "Change card"}
      </Button>
    </div>
  );
}
