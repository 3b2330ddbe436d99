/** One payment of any merchant as an operator sees it: where it is at the provider, and how it is ended by hand. */
import type { ReactNode } from "react";
import { ActionButton } from "../parts/action-button.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { Facts, Panel } from "../parts/facts.tsx";
import { ChoiceField, TextField } from "../parts/fields.tsx";
import { naira, words } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { RecordView, useId } from "../parts/record-view.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
import { TracePanel } from "../trace/trace-panel.tsx";
import { isUnderWay } from "../transfers/transfer.ts";
import { OperatorAllowed } from "./operator-allowed.tsx";

interface Payment {
  readonly id: string;
  readonly environment: string;
  readonly reference: string;
  readonly amount: number;
  readonly status: string;
  readonly failureReason: { readonly message: string } | null;
  readonly createdAt: string;
  readonly completedAt: string | null;
  /** Null while nothing was sent, and in a sandbox. */
  readonly rail: {
    readonly provider: string;
    readonly orderId: string;
    readonly providerReference: string | null;
    readonly networkSessionId: string | null;
  } | null;
}

/** Differences between the kinds of payments that can be ended by hand. */
interface Kind {
  readonly collection: "transfers" | "bills";
  readonly title: string;
  readonly outcomes: { readonly completed: string; readonly failed: string };
  /** Fields that are sent where they were filled in. */
  readonly extra: readonly { readonly name: string; readonly label: string; readonly hint: string }[];
}

const payout: Kind = {
  collection: "transfers",
  title: "Payout",
  outcomes: { completed: "Paid", failed: "Not paid: give the money back" },
  extra: [],
};

const bill: Kind = {
  collection: "bills",
  title: "Bill",
  outcomes: { completed: "Delivered", failed: "Not delivered: give money back" },
  extra: [
    { name: "token", label: "Meter token", hint: "20 digits, of a prepaid meter that was served." },
    { name: "units", label: "Units", hint: "Kilowatt hours of that token." },
    { name: "receiptNumber", label: "Receipt number", hint: "If the biller gave one." },
  ],
};

export function OperatorPayoutPage() {
  return <PaymentPage kind={payout} />;
}

export function OperatorBillPage() {
  return <PaymentPage kind={bill} />;
}

function PaymentPage({ kind }: { readonly kind: Kind }) {
  const again = (payment: Payment | undefined) => (payment !== undefined && isUnderWay(payment) ? 2_000 : false);
  return (
    <RecordView<Payment> path={`/${kind.collection}/${useId()}`} again={again}>
      {(payment) => (
        <div className="grid gap-4">
          <PageHead title={`${kind.title} of ${naira(payment.amount)}`} about={<State payment={payment} />}>
            <CopyButton text={payment.id} label="Copy the id" />
            {/* Only what is with the provider can be ended: what still waits was not sent. */}
            {payment.status === "processing" ? (
              <OperatorAllowed change="payments">
                <EndByHand kind={kind} id={payment.id} />
              </OperatorAllowed>
            ) : null}
          </PageHead>
          <Panel title="At the provider">
            <PaymentFacts payment={payment} />
          </Panel>
          <TracePanel id={payment.id} againMs={again(payment)} />
        </div>
      )}
    </RecordView>
  );
}

function State({ payment: { status, reference } }: { readonly payment: Payment }) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      <StatusChip status={status} />
      <span className="break-all">{reference}</span>
    </span>
  );
}

function PaymentFacts({ payment }: { readonly payment: Payment }) {
  const { rail } = payment;
  return (
    <Facts
      facts={[
        ["Amount", <Money key="amount" amount={payment.amount} />],
        ["Environment", words(payment.environment)],
        ["With", rail === null ? "no provider" : words(rail.provider)],
        ["Our id there", mono(rail?.orderId)],
        ["Their reference", mono(rail?.providerReference)],
        ["Session between banks", mono(rail?.networkSessionId)],
        ["Created", <Moment key="created" at={payment.createdAt} />],
        ["Ended", <Moment key="ended" at={payment.completedAt} />],
        ["Why it failed", payment.failureReason?.message],
      ]}
    />
  );
}

function mono(id: string | null | undefined): ReactNode {
  return id == null ? null : <span className="font-mono text-xs break-all">{id}</span>;
}

function EndByHand({ kind, id }: { readonly kind: Kind; readonly id: string }) {
  return (
    <ActionButton
      label="End by hand"
      look="danger"
      about="When the provider told you the outcome in another way. It is final, and money is lost if it is wrong."
      fields={
        <>
          <ChoiceField label="Outcome" name="outcome" defaultValue="" required>
            <option value="" disabled>
              Choose
            </option>
            <option value="completed">{kind.outcomes.completed}</option>
            <option value="failed">{kind.outcomes.failed}</option>
          </ChoiceField>
          <TextField
            label="Evidence"
            name="evidence"
            maxLength={2_000}
            hint="Where that is written: a letter, a ticket, a line of the settlement report."
            required
          />
          {kind.extra.map(({ name, label, hint }) => (
            <TextField key={name} name={name} label={label} hint={hint} />
          ))}
        </>
      }
      request={(form) => {
        const filled = kind.extra.map(({ name }) => [name, form(name)] as const).filter(([, value]) => value !== "");
        const body = { outcome: form("outcome"), evidence: form("evidence"), ...Object.fromEntries(filled) };
        return { path: `/${kind.collection}/${id}/resolve`, body };
      }}
    />
  );
}
