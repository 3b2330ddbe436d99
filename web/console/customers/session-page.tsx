import { Link } from "@tanstack/react-router";
import { Allowed } from "../api/allowed.tsx";
import { useEnvironment } from "../api/place.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { type Fact, Facts, Panel } from "../parts/facts.tsx";
import { naira } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { RecordView, useId } from "../parts/record-view.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
import { TracePanel } from "../trace/trace-panel.tsx";
import type { CheckoutSession } from "./session.ts";

const lookAgainMs = 3_000;

export function SessionPage() {
  const id = useId();
  const path = `/loans/bnpl/checkout-sessions/${id}`;
  return (
    <RecordView<CheckoutSession> path={path} again={(session) => (session?.status === "open" ? lookAgainMs : false)}>
      {(session) => (
        <div className="grid gap-4">
          <PageHead
            title={`${naira(session.amount)} for ${session.order_reference}`}
            about={<StatusChip status={session.status} />}
          >
            {session.url === null ? null : <CopyButton text={session.url} label="Copy the customer's link" />}
            <Allowed change="checkout">{session.status === "open" ? <CancelSession path={path} /> : null}</Allowed>
          </PageHead>
          <Panel title="Checkout">
            <SessionFacts session={session} />
          </Panel>
          <Panel title="What was ordered">
            <Items items={session.items} />
          </Panel>
          <TracePanel id={id} />
        </div>
      )}
    </RecordView>
  );
}

function CancelSession({ path }: { readonly path: string }) {
  return (
    <ActionButton
      label="Cancel the checkout"
      look="danger"
      about="The customer's page ends, and so does a loan that is not paid out yet. The order can be opened again."
      request={() => ({ path: `${path}/cancel` })}
    />
  );
}

function SessionFacts({ session }: { readonly session: CheckoutSession }) {
  const { at } = useEnvironment();
  const link = (to: string, text: string) => (
    <Link key={to} to={at(to)} className="text-brand underline underline-offset-4">
      {text}
    </Link>
  );
  const facts: Fact[] = [
    ["Customer", link(`/customers/${session.customer_id}`, "Open the customer")],
    ["Loan", session.loan_id === null ? "Not chosen yet" : link(`/checkout-loans/${session.loan_id}`, "Open the loan")],
    ["Your account", `${session.bank_account_no} · bank ${session.bank_code}`],
    ["Opened", <Moment key="opened" at={session.created_at} />],
    ["Ends", <Moment key="ends" at={session.expires_at} />],
    [
      "Id",
      <span key="id" className="font-mono text-xs">
        {session.id}
      </span>,
    ],
  ];
  return <Facts facts={facts} />;
}

function Items({ items }: Pick<CheckoutSession, "items">) {
  if (items.length === 0) return <p className="p-4 text-soft">The order names no items.</p>;
  return (
    <ul>
      {items.map(({ name, quantity, amount }) => (
        <li
          key={`${name} ${quantity} ${amount}`}
          className="flex justify-between gap-3 border-b border-line px-4 py-2 last:border-0"
        >
          <span className="min-w-0 break-words">{`${quantity} × ${name}`}</span>
          <Money amount={amount} />
        </li>
      ))}
    </ul>
  );
}
