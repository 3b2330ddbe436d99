import { Allowed } from "../api/allowed.tsx";
import { useEnvironment } from "../api/place.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { type Fact, Facts, Panel } from "../parts/facts.tsx";
import { naira } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { RecordView, useId } from "../parts/record-view.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
import { TracePanel } from "../trace/trace-panel.tsx";
import { ExplainPanel } from "./explain-panel.tsx";
import { borrowerOf, type Loan, type Revealed } from "./loan.ts";
import { SchedulePanel } from "./schedule-panel.tsx";

export function LoanPage() {
  const id = useId();
  return (
    <RecordView<Loan>
      path={`/loans/${id}`}
      again={(loan) => (["pending", "approved", "disbursed"].includes(loan?.loan_request.status ?? "") ? 3_000 : false)}
    >
      {({ loan_request: request, loan_details: details }) => (
        <div className="grid gap-4">
          <PageHead
            title={`${naira(request.amount)} for ${borrowerOf(request)}`}
            about={<StatusChip status={request.status} />}
          >
            <Allowed change="sandbox">
              <SandboxDecision id={id} status={request.status} />
            </Allowed>
          </PageHead>
          <Panel
            title="Loan"
            aside={
              <Allowed change="loans">
                <RevealNumbers id={id} />
              </Allowed>
            }
          >
            <Facts facts={factsOf({ loan_request: request, loan_details: details })} />
          </Panel>
          {details === null || details.schedules.length === 0 ? null : (
            <>
              <SchedulePanel schedule={details.schedules} />
              <ExplainPanel id={id} />
            </>
          )}
          <TracePanel id={id} />
        </div>
      )}
    </RecordView>
  );
}

/** Owners and finance see the numbers whole. The server writes down who asked, before it answers. */
function RevealNumbers({ id }: { readonly id: string }) {
  return (
    <ActionButton<Revealed>
      label="Reveal BVN and NIN"
      confirm="Reveal"
      about="The audit trail records that you looked at these numbers."
      request={() => ({ path: `/loans/${id}/reveal`, body: {} })}
      result={({ bvn, nin }) => (
        <Facts
          facts={[
            ["BVN", bvn],
            ["NIN", nin],
          ]}
        />
      )}
    />
  );
}

/** In a sandbox the merchant plays the lender, too. */
function SandboxDecision({ id, status }: { readonly id: string; readonly status: string }) {
  const { place } = useEnvironment();
  if (place.environment.kind !== "SANDBOX" || status !== "pending") return null;
  const decide = (what: string) => () => ({ path: `/sandbox/loans/${id}/${what}`, body: {} });
  return (
    <>
      <ActionButton label="Approve" look="primary" about="The sandbox's lender says yes." request={decide("approve")} />
      <ActionButton label="Reject" look="danger" about="The sandbox's lender says no." request={decide("reject")} />
    </>
  );
}

function factsOf({ loan_request: request, loan_details: details }: Loan): Fact[] {
  const money = (name: string, amount: number | undefined): Fact => [
    name,
    amount === undefined ? null : <Money key={name} amount={amount} />,
  ];
  return [
    ["Borrower", borrowerOf(request)],
    ["Phone", request.daas_user.phone],
    ["BVN", request.daas_user.bvn],
    ["NIN", request.daas_user.nin],
    ["Paid to", `${request.account_number} · ${request.bank_name ?? "no bank"}`],
    money("Balance", details?.balance),
    money("Due next", details?.next_repayment_amount),
    ["Due on", <Moment key="due" at={details?.next_due_date ?? null} dayOnly />],
    money("To repay in all", details?.total_repayment),
    money("Interest in all", details?.total_interest),
    ["Interest per period", details === null ? null : `${details.interest_rate} %`],
    ["Asked for", <Moment key="asked" at={request.created_at} />],
    [
      "Id",
      <span key="id" className="font-mono text-xs">
        {request.id}
      </span>,
    ],
  ];
}
