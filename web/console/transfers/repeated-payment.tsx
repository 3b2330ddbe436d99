/** What stops a payment that was made a short time ago, and the deliberate second step. The server decides. */
import { Link } from "@tanstack/react-router";
import { History } from "lucide-react";
import type { ReactNode } from "react";
import { ApiProblem } from "../../shared/call-api.ts";
import { useEnvironment } from "../api/place.ts";
import { Button } from "../parts/button.tsx";
import { counted, lagosDay, lagosTime } from "../parts/figures.ts";

/** `data` of the refusal `payment_repeated`. */
export interface Repeated {
  /** Sent along, it confirms the second payment. */
  readonly paymentId: string;
  readonly kind: "payout" | "batch";
  readonly isWaiting: boolean;
  readonly recordId: string | null;
  readonly amount: number;
  readonly paidAt: string;
  readonly paidBy: string;
  readonly isOwn: boolean;
  readonly secondsAgo: number;
  readonly repeatedCount: number;
}

export function repeatedOf(error: unknown): Repeated | null {
  if (!(error instanceof ApiProblem) || error.code !== "payment_repeated") return null;
  return error.refusal.data as unknown as Repeated;
}

/** `order` is "₦5,000.00 to ADA OBI". */
export function payoutSentence({ isOwn, paidBy, secondsAgo, isWaiting }: Repeated, order: string): string {
  const who = isOwn ? "You" : paidBy;
  const when = secondsAgo < 60 ? "less than a minute ago" : `${counted(Math.floor(secondsAgo / 60), "minute")} ago`;
  return isWaiting ? `${who} asked to pay ${order} ${when}. It waits for approval.` : `${who} paid ${order} ${when}.`;
}

/** `rowCount` is how many rows would be paid. */
export function fileSentence({ isOwn, paidBy, paidAt, isWaiting, repeatedCount }: Repeated, rowCount: number): string {
  const by = isOwn ? "you" : paidBy;
  const at = `on ${lagosDay(paidAt)} ${lagosTime(paidAt).slice(0, 5)}`;
  const some = `${repeatedCount} of ${rowCount} rows ${repeatedCount === 1 ? "was" : "were"}`;
  const what = repeatedCount >= rowCount ? "This file was" : some;
  return isWaiting ? `${what} sent for approval ${at} by ${by}.` : `${what} paid ${at} by ${by}.`;
}

interface NoticeProps {
  readonly repeated: Repeated;
  readonly sentence: string;
  readonly question: string;
  readonly confirm: string;
  readonly onAgain: () => void;
  readonly isBusy?: boolean;
  /** A way on that pays nothing twice. */
  readonly children?: ReactNode;
}

export function RepeatedNotice({ repeated, sentence, question, confirm, onAgain, isBusy, children }: NoticeProps) {
  return (
    <div role="alert" className="grid gap-3 rounded-lg border border-line bg-warning-tint p-4">
      <p className="flex items-start gap-2 font-semibold text-warning">
        <History aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        {sentence}
      </p>
      <p>
        {question} <EarlierLink repeated={repeated} />
      </p>
      <div className="flex flex-wrap gap-2">
        {children}
        <Button look="danger" onClick={onAgain} disabled={isBusy === true}>
          {confirm}
        </Button>
      </div>
    </div>
  );
}

function EarlierLink({ repeated: { paymentId, kind, isWaiting, recordId } }: { readonly repeated: Repeated }) {
  const { at } = useEnvironment();
  const link = (path: string, text: string) => (
    <Link to={at(path)} className="text-brand underline underline-offset-4">
      {text}
    </Link>
  );
  if (isWaiting) return link(`/approvals/${paymentId}`, "See the request");
  if (recordId === null) return null;
  return kind === "batch"
    ? link(`/bulk/${recordId}`, "See that batch")
    : link(`/transfers/${recordId}`, "See that payout");
}
