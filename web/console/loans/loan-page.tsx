import { Allowed } from "../api/allowed.tsx";
import { ActionButton } from "../parts/action-button.tsx";
import { type Fact, Facts, Panel } from "../parts/facts.tsx";
import { naira } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { RecordView, useId } from "../parts/record-view.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
import { Simulate } from "../sandbox/simulate.tsx";
import { TracePanel } from "../trace/trace-panel.tsx";
import { ExplainPanel } from "./explain-panel.tsx";
import { askedNow, borrowerOf, type Loan, type Revealed, takesRepayments } from "./loan.ts";
import { CancelLoan, plainChannels, RecordRepayment, RefundCredit } from "./loan-actions.tsx";
import { RepaymentsPanel } from "./repayments-panel.tsx";
import { SchedulePanel } from "./schedule-panel.tsx";
import { StandingPanel } from "./standing-panel.tsx";

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
            about={
              <span className="flex flex-wrap items-center gap-2">
                <StatusChip status={request.status} />
                <span className="break-all">{request.reference}</span>
              </span>
            }
          >
            <Allowed change="loans">
              <Actions id={id} loan={{ loan_request: request, loan_details: details }} />
            </Allowed>
          </PageHead>
          <Simulate path={`/sandbox/loans/${id}`} steps={stepsOf(request.status)} />
          {details === null || details.schedules.length === 0 ? null : (
            <StandingPanel schedule={details.schedules} balance={details.balance} credit={details.credit} />
          )}
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
              <RepaymentsPanel base={`/loans/${id}`} canReverse />
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

function Actions({ id, loan }: { readonly id: string; readonly loan: Loan }) {
  const { loan_request: request, loan_details: details } = loan;
  const base = `/loans/${id}`;
  return (
    <>
      {details !== null && takesRepayments(request.status) ? (
        <RecordRepayment base={base} amount={askedNow(details.schedules)} channels={plainChannels} />
      ) : null}
      <RefundCredit base={base} amount={details?.credit ?? 0} channels={plainChannels} />
      {["pending", "approved"].includes(request.status) ? <CancelLoan base={base} /> : null}
    </>
  );
}

/** In a sandbox the merchant decides for the lender, too. */
function stepsOf(status: string) {
  if (status === "pending") {
    return [
      { label: "Approve", word: "approve", about: "The sandbox's lender approves the loan and pays it out." },
      { label: "Reject", word: "reject", about: "The sandbox's lender rejects the loan.", danger: true },
    ] as const;
  }
  const about = "The sandbox's lender pays the loan out now, also after an earlier payment has failed.";
  return status === "approved" ? ([{ label: "Disburse", word: "disburse", about }] as const) : [];
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
