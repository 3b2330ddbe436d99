/** A state in a word, with a sign and a colour that repeat it. */
import { CircleAlert, CircleCheck, CircleDashed, CircleX, type LucideIcon, Undo2 } from "lucide-react";
import { words } from "./figures.ts";

export type Tone = "good" | "busy" | "bad" | "warn" | "quiet";

const looks: Readonly<Record<Tone, readonly [string, LucideIcon]>> = {
  good: ["bg-brand-tint text-brand-strong", CircleCheck],
  busy: ["bg-info-tint text-info", CircleDashed],
  bad: ["bg-danger-tint text-danger", CircleX],
  warn: ["bg-warning-tint text-warning", CircleAlert],
  quiet: ["bg-sunken text-soft", Undo2],
};

const tones: Readonly<Record<Tone, readonly string[]>> = {
  good: [
    "completed",
    "successful",
    "active",
    "verified",
    "delivered",
    "up",
    "paid",
    "matched",
    "enabled",
    "disbursed",
    "healthy",
    "resolved",
    "approved",
  ],
  busy: ["waiting", "pending", "processing", "open", "running", "started", "unverified", "partial", "scheduled"],
  bad: ["failed", "rejected", "written_off", "down", "disabled", "revoked", "unmatched"],
  warn: ["overdue", "degraded", "unknown", "held", "late", "expired", "manual_review", "frozen"],
  quiet: ["reversed", "cancelled", "rotated", "suspended"],
};

export function toneOf(status: string): Tone {
  const found = (Object.keys(tones) as Tone[]).find((tone) => tones[tone].includes(status));
  return found ?? "quiet";
}

export function StatusChip({ status, tone = toneOf(status) }: { readonly status: string; readonly tone?: Tone }) {
  const [colours, Sign] = looks[tone];
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap
        ${colours}`}
    >
      <Sign aria-hidden="true" className="size-3.5" />
      {words(status)}
    </span>
  );
}
