import { type TSchema, Type } from "typebox";
import { nairaNumber } from "../money/kobo.ts";
import { named } from "../platform/http/named-schema.ts";
import { EnvironmentWord, NairaNumber, Nullable, OneOf, Timestamp, Uuid } from "../platform/http/wire.ts";
import { type Attention, mostAttentionItems, type OverviewSource, stepWidths } from "../platform/records/overview.ts";
import { spanFields } from "../platform/time/time-span.ts";
import { mostDays, usualDays } from "./read-period.ts";

export const overviewQuery = Type.Object({
  ...spanFields,
  by: Type.Optional(
    OneOf(stepWidths, {
      description: `How wide the steps are. A period has at most ${mostDays.day} days by the day and ${mostDays.hour} by the hour; without \`from\` it has ${usualDays.day}, or 24 hours.`,
      examples: ["day"],
    }),
  ),
});

const attentionData = named(
  "Attention",
  Type.Object({
    kind: Type.String({ examples: ["payouts_waiting"] }),
    title: Type.String({ description: "A sentence for people.", examples: ["2 payouts wait for the bank's answer."] }),
    count: Type.Integer({ examples: [2] }),
    since: Nullable(Type.String({ ...Timestamp, description: "Since when the oldest waits." })),
    amount: Nullable(NairaNumber),
    items: Type.Array(
      Type.Object({
        id: Type.String({ examples: ["01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11"] }),
        title: Type.String({ examples: ["payout-1042"] }),
        since: Nullable(Timestamp),
      }),
      { description: `The oldest; at most ${mostAttentionItems}.` },
    ),
  }),
);

/** A part for every slice that has figures; a key without the part's scope does not get it. */
export function overviewData(sources: readonly OverviewSource[]) {
  const parts: Record<string, TSchema> = {};
  for (const { part } of sources) if (part !== null) parts[part.name] = Type.Optional(part.schema);
  return Type.Unsafe<Readonly<Record<string, unknown>>>(
    named(
      "Overview",
      Type.Object({
        from: Timestamp,
        to: Timestamp,
        by: OneOf(stepWidths),
        ...parts,
        attention: Type.Array(attentionData, { description: "What a person should look at now; the oldest first." }),
      }),
    ),
  );
}

/** An environment as its operator sees it. */
export function placeData(sources: readonly OverviewSource[]) {
  return Type.Object({
    id: Uuid,
    merchantId: Uuid,
    merchantName: Type.String({ description: "As its customers know it.", examples: ["Mama Put Foods"] }),
    kind: EnvironmentWord,
    name: Type.String({ examples: ["Staging"] }),
    createdAt: Timestamp,
    clock: Type.Object({ mode: OneOf(["running", "frozen"]), now: Timestamp }),
    overview: overviewData(sources),
  });
}

export function presentAttention({ amount, since, items, ...told }: Attention) {
  return {
    ...told,
    since: since?.toISOString() ?? null,
    amount: amount === null ? null : nairaNumber(amount),
    items: items.map((item) => ({ ...item, since: item.since?.toISOString() ?? null })),
  };
}
