/** Connections, routes and hints on the wire. Credentials go in and never come out. */
import { type Static, Type } from "typebox";
import { nairaNumber } from "../../money/kobo.ts";
import { named } from "../../platform/http/named-schema.ts";
import { NairaNumber, Nullable, OneOf, Timestamp, Uuid } from "../../platform/http/wire.ts";
import type { ConnectionCheck, Provider } from "../provider.ts";
import { checkData } from "./check-schema.ts";
import { type Connection, holdWords, ports } from "./connection.ts";
import { failingShare, type HealthReading } from "./health.ts";

export const portWord = OneOf(ports, { description: "What a rail is used for.", examples: ["bank"] });

export const providerData = named(
  "Provider",
  Type.Object({
    provider: Type.String({ examples: ["paystack"] }),
    ports: Type.Array(portWord),
    credentials: Type.Array(
      Type.Object({
        name: Type.String({ examples: ["secretKey"] }),
        secret: Type.Boolean(),
        required: Type.Boolean(),
        neededFor: Type.Array(portWord, { description: "Ports that are not served without it." }),
        description: Type.String({ examples: ["From Settings, API Keys & Webhooks: sk_live_…"] }),
      }),
    ),
    defaultBaseUrl: Type.String({ examples: ["https://api.paystack.co"] }),
    testBaseUrl: Type.String({ examples: ["https://api.paystack.co"] }),
  }),
);

export function presentProvider(provider: Provider): Static<typeof providerData> {
  const { name, credentials, defaultBaseUrl, testBaseUrl } = provider;
  const fields = credentials.map(({ neededFor = [], ...field }) => ({ ...field, neededFor: [...neededFor] }));
  return { provider: name, ports: [...provider.ports], credentials: fields, defaultBaseUrl, testBaseUrl };
}

const mode = OneOf(["live", "test"], { description: "Whether real money moves.", examples: ["live"] });
const state = OneOf(["active", "paused", "retired"]);
const credentials = Type.Record(Type.String({ maxLength: 100 }), Type.String({ minLength: 1, maxLength: 4_000 }), {
  description: "By name, as GET /operator/providers lists them. Sealed at once and never shown again.",
  examples: [{ secretKey: "sk_live_0123456789abcdef" }],
});
const name = Type.String({ minLength: 1, maxLength: 200, pattern: "\\S", examples: ["Paystack payouts"] });

export const createBody = (providers: readonly Provider[]) =>
  Type.Object({
    provider: OneOf(providers.map((provider) => provider.name)),
    name,
    mode,
    credentials,
    baseUrl: Type.Optional(
      Type.String({ maxLength: 500, description: "Instead of the provider's own address, for a proxy or a twin." }),
    ),
    ports: Type.Optional(
      Type.Array(portWord, { minItems: 1, description: "All that the provider offers, unless named." }),
    ),
  });

export const changeBody = Type.Object(
  {
    name: Type.Optional(name),
    state: Type.Optional(state),
    credentials: Type.Optional(credentials),
  },
  { examples: [{ state: "paused" }] },
);

export const connectionData = named(
  "Connection",
  Type.Object({
    id: Uuid,
    provider: Type.String({ examples: ["paystack"] }),
    name: Type.String({ examples: ["Paystack payouts"] }),
    mode,
    ports: Type.Array(portWord),
    state,
    baseUrl: Type.String({ examples: ["https://api.paystack.co"] }),
    hold: Nullable(
      Type.Object(
        {
          reason: OneOf(Object.keys(holdWords)),
          message: Type.String({ examples: ["Your balance is not enough to fulfil this request"] }),
          advice: Type.String({ examples: [holdWords.float_empty] }),
          since: Timestamp,
        },
        { description: "Why the provider takes no orders. It ends when a check passes." },
      ),
    ),
    float: Nullable(
      Type.Object({ available: NairaNumber, readAt: Timestamp }, { description: "Our balance at the provider." }),
    ),
    health: Type.Object({
      state: OneOf(["ok", "failing"], {
        description: `failing when ${failingShare * 100} % of this process's last calls got no answer; new orders pass it over for a minute.`,
      }),
      calls: Type.Integer({ examples: [20] }),
      unanswered: Type.Integer({ examples: [0] }),
    }),
    hookUrl: Type.String({
      description: "Enter it as the webhook address at the provider.",
      examples: ["https://pay.example.com/rails/01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11/hook"],
    }),
    approvalUrl: Nullable(
      Type.String({
        description:
          "Where the provider asks whether a payment is ours. Enter it too, if the provider has such a setting.",
        examples: ["https://pay.example.com/rails/01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11/approval"],
      }),
    ),
    checkedAt: Timestamp,
    checks: Type.Array(checkData),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
);

export function presentCheck({ name: about, result, message }: ConnectionCheck): Static<typeof checkData> {
  return { name: about, ok: result !== "failed", result, message };
}

export interface Shown {
  readonly connection: Connection;
  readonly health: HealthReading;
  readonly publicUrl: string;
  /** Whether the provider asks before it pays. */
  readonly asksApproval: boolean;
}

export function presentConnection({
  connection,
  health,
  publicUrl,
  asksApproval,
}: Shown): Static<typeof connectionData> {
  const { id, hold, float } = connection;
  const base = `${publicUrl.replace(/\/+$/, "")}/rails/${id}`;
  return {
    id,
    provider: connection.provider,
    name: connection.name,
    mode: connection.mode,
    ports: [...connection.ports],
    state: connection.state,
    baseUrl: connection.baseUrl,
    hold: hold && {
      reason: hold.reason,
      message: hold.message,
      advice: holdWords[hold.reason],
      since: hold.since.toISOString(),
    },
    float: float && { available: nairaNumber(float.available), readAt: float.readAt.toISOString() },
    health,
    hookUrl: `${base}/hook`,
    approvalUrl: asksApproval ? `${base}/approval` : null,
    checkedAt: connection.checkedAt.toISOString(),
    checks: connection.checks.map(presentCheck),
    createdAt: connection.createdAt.toISOString(),
    updatedAt: connection.updatedAt.toISOString(),
  };
}
