/** The receipt of a completed payout, plain enough to print or to save as a PDF and to send to the recipient. */
import type { Transfer } from "@jara/sdk";
import { Link } from "@tanstack/react-router";
import { ArrowLeft, Printer } from "lucide-react";
import type { ReactNode } from "react";
import { useEnvironment } from "../api/place.ts";
import { amountInWords } from "../bulk/amount-in-words.ts";
import { Button, buttonClass } from "../parts/button.tsx";
import type { Fact } from "../parts/facts.tsx";
import { lagosDay, lagosTime, naira } from "../parts/figures.ts";
import { PageHead } from "../parts/page-head.tsx";
import { RecordView, useId } from "../parts/record-view.tsx";
import { Empty } from "../parts/states.tsx";
import { isUnderWay } from "./transfer.ts";

export function ReceiptPage() {
  const { at } = useEnvironment();
  const id = useId();
  const back = (
    <Link to={at(`/transfers/${id}`)} className={buttonClass()}>
      <ArrowLeft aria-hidden="true" className="size-4" />
      Back to the payout
    </Link>
  );
  return (
    <RecordView<Transfer> path={`/transfers/${id}`}>
      {(transfer) =>
        transfer.status === "completed" ? (
          <Receipt transfer={transfer} back={back} />
        ) : (
          <NoReceipt transfer={transfer} back={back} />
        )
      }
    </RecordView>
  );
}

interface ReceiptProps {
  readonly transfer: Transfer;
  readonly back: ReactNode;
}

function NoReceipt({ transfer, back }: ReceiptProps) {
  return (
    <>
      <PageHead title="No receipt">{back}</PageHead>
      <Empty title={isUnderWay(transfer) ? "This payout is not completed yet" : `This payout is ${transfer.status}`}>
        Only completed payouts have a receipt.
      </Empty>
    </>
  );
}

function Receipt({ transfer, back }: ReceiptProps) {
  const { place } = useEnvironment();
  const isSandbox = place.environment.kind === "SANDBOX";
  return (
    <div className="mx-auto grid max-w-2xl gap-4">
      <div className="flex flex-wrap justify-between gap-2 print:hidden">
        {back}
        <Button look="primary" onClick={() => window.print()}>
          <Printer aria-hidden="true" className="size-4" />
          Print or save as PDF
        </Button>
      </div>
      <article className="card grid gap-6 p-6 sm:p-10 print:border-0 print:bg-transparent print:p-0">
        <PageHead title={`Receipt ${transfer.reference}`} about={place.merchant.name} />
        {isSandbox ? (
          <p className="rounded-lg bg-sandbox-tint px-3 py-2 font-semibold text-sandbox">
            Sandbox: this is a test. No real money moved.
          </p>
        ) : null}
        <div>
          <p className="text-sm text-soft">Amount paid</p>
          <p className="text-3xl font-semibold tracking-tight tabular-nums">{naira(transfer.amount)}</p>
          <p className="text-soft">{amountInWords(transfer.amount)}</p>
        </div>
        <dl className="border-t border-line">
          {receiptFacts(transfer, place.merchant.name).map(([name, value]) => (
            <div key={name} className="flex flex-wrap justify-between gap-x-6 border-b border-line py-2.5">
              <dt className="text-soft">{name}</dt>
              <dd className="min-w-0 text-right font-medium break-words tabular-nums">{value ?? "–"}</dd>
            </div>
          ))}
        </dl>
      </article>
    </div>
  );
}

function receiptFacts(transfer: Transfer, payer: string): Fact[] {
  const paidAt = transfer.completedAt ?? transfer.updatedAt;
  return [
    ["Status", "Completed"],
    ["Recipient", transfer.accountName],
    ["Bank", transfer.bankName],
    ["Account number", transfer.accountNumber],
    ["Paid by", payer],
    ["Date and time", `${lagosDay(paidAt)} ${lagosTime(paidAt)} (Lagos)`],
    ["Reference", transfer.reference],
    ["Session id", transfer.sessionId],
    ...(transfer.narration === null ? [] : [["Narration", transfer.narration] as const]),
    ["Fee", naira(transfer.fee)],
    ["VAT", naira(transfer.vat)],
    ["Stamp duty", naira(transfer.stampDuty)],
    ["Total debited", naira(transfer.totalDebit)],
  ];
}
