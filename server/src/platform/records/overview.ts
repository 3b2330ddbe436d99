/**
 * The figures of a period, for a person who looks at a business from above. Each slice counts its own records, and says
 * what of them needs attention now. Every question is bounded by the period and answered over an index.
 */
import type { TSchema } from "typebox";
import type { Kobo } from "../../money/kobo.ts";
import type { Tx } from "../database/database.ts";

export const stepWidths = ["hour", "day"] as const;
export type StepWidth = (typeof stepWidths)[number];

/** In the environment's time; `from` counts in, `to` does not. */
export interface Period {
  readonly from: Date;
  readonly to: Date;
  readonly by: StepWidth;
}

/** Something that a person should look at, whatever the period. */
export interface Attention {
  readonly kind: string;
  /** A sentence. */
  readonly title: string;
  readonly count: number;
  /** Since when the oldest of them waits. */
  readonly since: Date | null;
  readonly amount: Kobo | null;
  /** The oldest few. */
  readonly items: readonly AttentionItem[];
}

export interface AttentionItem {
  readonly id: string;
  readonly title: string;
  readonly since: Date | null;
}

export const mostAttentionItems = 10;

export interface OverviewSource {
  /** Its place in the reply; null for a slice that only asks for attention. */
  readonly part: { readonly name: string; readonly schema: TSchema } | null;
  /** A key without it is shown nothing of this. */
  readonly scope: `${string}:read`;
  read(tx: Tx, period: Period): Promise<{ readonly figures: unknown; readonly attention: readonly Attention[] }>;
}

/** As parts of one, with four decimals: how many of these went well. Null while there is nothing to tell from. */
export function successRate(good: number, all: number): number | null {
  return all === 0 ? null : Math.round((good * 10_000) / all) / 10_000;
}
