/** Decisions that wait, on the wire. */
import { type Static, Type } from "typebox";
import { kobo, nairaNumber } from "../money/kobo.ts";
import { named } from "../platform/http/named-schema.ts";
import { EnvironmentWord, NairaNumber, Nullable, OneOf, Timestamp, Uuid } from "../platform/http/wire.ts";
import { pageQuery } from "../platform/records/pagination.ts";
import { type Decision, decisionKinds } from "./decision.ts";

const kind = OneOf(decisionKinds, { examples: ["loan"] });

export const decisionsQuery = Type.Object({
  ...pageQuery.properties,
  kind: Type.Optional(kind),
  environment: Type.Optional(EnvironmentWord),
});

export const decisionData = named(
  "WaitingDecision",
  Type.Object({
    kind,
    id: Uuid,
    customerId: Nullable(Uuid),
    environmentId: Uuid,
    environment: EnvironmentWord,
    merchant: Type.Object({ id: Uuid, name: Type.String({ examples: ["Mama Put Foods"] }) }),
    name: Type.String({ description: "Whom it is about.", examples: ["Adaeze Okafor"] }),
    amount: Nullable(NairaNumber),
    detail: Nullable(Type.String({ description: "For people.", examples: ["12 months"] })),
    since: Timestamp,
    ageSeconds: Type.Number({ description: "In the environment's time.", examples: [4210.5] }),
  }),
);

export function presentDecision({
  merchantId,
  merchant,
  amount,
  since,
  ...rest
}: Decision): Static<typeof decisionData> {
  return {
    ...rest,
    merchant: { id: merchantId, name: merchant },
    amount: amount === null ? null : nairaNumber(kobo(amount)),
    since: since.toISOString(),
  };
}
