/** What somebody asks for, with everything that the second person should see before they agree. */
import { Link } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import { Allowed } from "../api/allowed.tsx";
import { useEnvironment } from "../api/place.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { type Fact, Facts, Panel } from "../parts/facts.tsx";
import { TextField } from "../parts/fields.tsx";
import { naira } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { RecordView, useId } from "../parts/record-view.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
import type { ApprovalDetail, Preview } from "./approval.ts";
import { OrderedPayouts } from "./ordered-payouts.tsx";

export function ApprovalPage() {
  const id = useId();
  return (
    <RecordView<ApprovalDetail> path={`/approvals/${id}`} again={again}>
      {(approval) => (
        <div className="grid gap-4">
          <PageHead title={titleOf(approval)} about={<StatusChip status={approval.status} />}>
            {approval.status === "waiting" ? (
              <Allowed change="transfers">
                <Decide approval={approval} />
              </Allowed>
            ) : (
              <Made approval={approval} />
            )}
          </PageHead>
          {approval.preview === null ? null : <PreviewPanel preview={approval.preview} kind={approval.kind} />}
          <Panel title="Requested payment">
            <Facts facts={factsOf(approval)} />
          </Panel>
          <OrderedPayouts approval={approval} />
        </div>
      )}
    </RecordView>
  );
}

const again = (approval: ApprovalDetail | undefined) => (approval?.status === "waiting" ? 15_000 : false);

function titleOf({ amount, payoutCount, kind }: ApprovalDetail): string {
  return kind === "payout" ? `${naira(amount)} to one account` : `${naira(amount)} in ${payoutCount} payouts`;
}

function Decide({ approval }: { readonly approval: ApprovalDetail }) {
  const { place } = useEnvironment();
  const path = `/approvals/${approval.id}`;
  const isLive = place.environment.kind === "LIVE";
  return (
    <div className="flex flex-wrap gap-2">
      <ActionButton
        label={approval.isOwn ? "Take it back" : "Reject"}
        look="danger"
        about="Nothing is sent."
        fields={<TextField label="Why" name="reason" maxLength={500} hint="The asker reads it." />}
        request={(form) => ({
          path: `${path}/reject`,
          body: form("reason") === "" ? {} : { reason: form("reason") },
        })}
      />
      {approval.isOwn ? (
        <p className="self-center text-sm text-soft">Somebody else has to approve it.</p>
      ) : (
        <ActionButton
          label="Approve and pay"
          look="primary"
          about={isLive ? "Real money leaves the wallet." : "Simulated money leaves the sandbox's wallet."}
          confirm={`Pay ${naira(approval.amount)}`}
          request={() => ({ path: `${path}/approve` })}
        />
      )}
    </div>
  );
}

function Made({ approval: { transferId, batchId } }: { readonly approval: ApprovalDetail }) {
  const { at } = useEnvironment();
  const to = transferId === null ? (batchId === null ? null : `/bulk/${batchId}`) : `/transfers/${transferId}`;
  if (to === null) return null;
  return (
    <Link to={at(to)} className="text-brand underline underline-offset-4">
      See what was paid
    </Link>
  );
}

interface PreviewProps {
  readonly preview: Preview;
  readonly kind: ApprovalDetail["kind"];
}

function PreviewPanel({ preview, kind }: PreviewProps) {
  const { refusal, availableAfter, bankSays } = preview;
  const warning = refusal ?? (availableAfter < 0 ? "The wallet does not cover this now." : null);
  return (
    <Panel title="If you agree now">
      {warning === null ? null : (
        <p role="alert" className="flex items-center gap-2 px-4 pt-4 text-danger">
          <TriangleAlert aria-hidden="true" className="size-4 shrink-0" />
          {warning}
        </p>
      )}
      <Facts
        facts={[
          ["The bank says", kind === "batch" ? "See the payouts below" : <strong key="n">{bankSays}</strong>],
          ["Fee, VAT and stamp duty", <Money key="fee" amount={preview.fee} />],
          ["Leaves the wallet", <Money key="total" amount={preview.totalDebit} className="font-semibold" />],
          ["In the wallet now", <Money key="now" amount={preview.available} />],
          ["In the wallet afterwards", <Money key="after" amount={availableAfter} />],
        ]}
      />
    </Panel>
  );
}

function factsOf(approval: ApprovalDetail): Fact[] {
  return [
    ["Asked by", approval.isOwn ? `${approval.requestedBy} (you)` : approval.requestedBy],
    ["Asked", <Moment key="asked" at={approval.createdAt} />],
    ["Good until", <Moment key="until" at={approval.expiresAt} />],
    ["Reference", approval.reference],
    ["Note", approval.note],
    ["Decided by", approval.decidedBy],
    ["Decided", approval.decidedAt === null ? null : <Moment key="decided" at={approval.decidedAt} />],
    ["Reason", approval.reason],
  ];
}
