import { Link } from "@tanstack/react-router";
import { useEnvironment } from "../api/place.ts";
import { type Fact, Facts, Panel } from "../parts/facts.tsx";
import { counted, words } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { RecordView, useId } from "../parts/record-view.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
import { type Card, type CheckoutLoan, type Customer, type Eligibility, nameOf } from "./customer.ts";

export function CustomerPage() {
  const base = `/loans/bnpl/customers/${useId()}`;
  return (
    <RecordView<Customer> path={base}>
      {(customer) => (
        <div className="grid gap-4">
          <PageHead title={nameOf(customer)} about={<StatusChip status={customer.kyc_status} />} />
          <Panel title="Customer">
            <Facts facts={factsOf(customer)} />
          </Panel>
          <div className="grid gap-4 lg:grid-cols-2">
            <Panel title="What this customer may borrow">
              <RecordView<Eligibility> path={`${base}/eligibility`}>
                {(eligibility) => <Limits eligibility={eligibility} />}
              </RecordView>
            </Panel>
            <Panel title="Cards">
              <RecordView<Card[]> path={`${base}/cards`}>{(cards) => <Cards cards={cards} />}</RecordView>
            </Panel>
          </div>
          <Panel title="Open loans">
            <RecordView<CheckoutLoan[]> path={`${base}/loans/active`}>{(loans) => <Loans loans={loans} />}</RecordView>
          </Panel>
        </div>
      )}
    </RecordView>
  );
}

function factsOf(customer: Customer): Fact[] {
  return [
    ["Phone", customer.phone],
    ["E-mail", customer.email],
    ["Your own id", customer.external_id],
    ["Since", <Moment key="since" at={customer.created_at} />],
    [
      "Id",
      <span key="id" className="font-mono text-xs">
        {customer.id}
      </span>,
    ],
  ];
}

function Limits({ eligibility }: { readonly eligibility: Eligibility }) {
  if (!eligibility.eligible) {
    return (
      <ul className="grid gap-1 p-4">
        {eligibility.reasons.map(({ code, message }) => (
          <li key={code}>{message}</li>
        ))}
      </ul>
    );
  }
  const terms = eligibility.tenors.map(
    ({ tenor, interest_rate }) => `${counted(tenor, "month")} at ${interest_rate} %`,
  );
  return (
    <Facts
      facts={[
        ["From", <Money key="from" amount={eligibility.min_amount} />],
        ["Up to", <Money key="to" amount={eligibility.max_amount} />],
        ["For", terms.join(", ")],
      ]}
    />
  );
}

function Cards({ cards }: { readonly cards: readonly Card[] }) {
  if (cards.length === 0) return <p className="p-4 text-soft">No card is linked.</p>;
  return (
    <ul className="grid gap-1 p-4">
      {cards.map(({ id, brand, last4, exp_month, exp_year }) => (
        <li key={id}>{`${words(brand)} ending ${last4}, until ${exp_month}/${exp_year}`}</li>
      ))}
    </ul>
  );
}

function Loans({ loans }: { readonly loans: readonly CheckoutLoan[] }) {
  const { at } = useEnvironment();
  if (loans.length === 0) return <p className="p-4 text-soft">Nothing is open.</p>;
  return (
    <ul>
      {loans.map((loan) => (
        <li
          key={loan.id}
          className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-2 last:border-0"
        >
          <Link to={at(`/checkout-loans/${loan.id}`)} className="text-brand underline underline-offset-4">
            <Money amount={loan.amount} /> over {counted(loan.tenor, "month")}
          </Link>
          <StatusChip status={loan.status} />
          <span>
            <Money amount={loan.balance} /> open, next due <Moment at={loan.next_due_date} dayOnly />
          </span>
        </li>
      ))}
    </ul>
  );
}
