import { type Static, Type } from "typebox";
import { named } from "../platform/http/named-schema.ts";
import { Nullable, Timestamp, Uuid } from "../platform/http/wire.ts";
import type { AuditEntry } from "../platform/records/audit.ts";
import type { ApiKey } from "./api-key.ts";
import { defaultOverlapSeconds } from "./rotate-key.ts";

const longestOverlapSeconds = 30 * 86_400;
const exampleKeyId = "01932c5f-1b2c-7d3e-8f40-5a6b7c8d9e0f";
const exampleEnvironmentId = "01932c5e-8f4b-7c3a-9d2e-5b6a7c8d9e0f";

const momentOrNull = (description: string) => Nullable(Type.String({ format: "date-time", description }));
const idOrNull = (description: string) => Nullable(Type.String({ format: "uuid", description }));

export const issueKeyBody = (known: readonly string[]) =>
  named(
    "NewKey",
    Type.Object(
      {
        name: Type.String({
          minLength: 1,
          maxLength: 100,
          pattern: "\\S",
          description: "For people, to tell keys apart.",
        }),
        scopes: Type.Optional(
          Type.Array(Type.String({ maxLength: 100 }), {
            minItems: 1,
            maxItems: 50,
            description: `What the key may do: ${known.join(", ")}. Everything when left out.`,
          }),
        ),
        expiresAt: Type.Optional(momentOrNull("When the key stops working. Never, when left out.")),
        allowedAddresses: Type.Optional(
          Type.Array(Type.String({ maxLength: 50 }), {
            maxItems: 100,
            description: "IP addresses and blocks from which the key may be used. From everywhere when left out.",
          }),
        ),
      },
      {
        examples: [
          {
            name: "Payout server",
            scopes: ["transfers:read", "transfers:write"],
            allowedAddresses: ["203.0.113.0/24"],
          },
        ],
      },
    ),
  );

export const rotateKeyBody = Type.Object(
  {
    overlapSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: longestOverlapSeconds,
        default: defaultOverlapSeconds,
        description: "How long the old key keeps working.",
      }),
    ),
  },
  { examples: [{ overlapSeconds: 3_600 }] },
);

const keyFields = {
  id: Uuid,
  environmentId: Uuid,
  name: Type.String(),
  prefix: Type.String({ description: "The key's first characters." }),
  scopes: Type.Array(Type.String()),
  allowedAddresses: Type.Array(Type.String(), { description: "Empty: from everywhere." }),
  expiresAt: momentOrNull("When the key stops working."),
  revokedAt: momentOrNull("When the key was revoked."),
  lastUsedAt: momentOrNull("When the key was last used, to the minute."),
  replacedBy: idOrNull("The key that replaced this one in a rotation."),
  createdAt: Timestamp,
};

const exampleKey = {
  id: exampleKeyId,
  environmentId: exampleEnvironmentId,
  name: "Payout server",
  prefix: "sk_test_7Hq2",
  scopes: ["transfers:read", "transfers:write"],
  allowedAddresses: ["203.0.113.0/24"],
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  replacedBy: null,
  createdAt: "2026-11-03T09:15:00.000Z",
};

const secret = Type.String({ description: "The secret key. Shown only here: keep it now." });

export const keyData = named("Key", Type.Object(keyFields, { examples: [exampleKey] }));

export const issuedKeyData = named(
  "IssuedKey",
  Type.Object({ ...keyFields, key: secret }, { examples: [{ ...exampleKey, key: "sk_test_7Hq2…" }] }),
);

export const rotatedKeyData = named(
  "RotatedKey",
  Type.Object(
    { ...keyFields, key: secret, replacedKey: keyData },
    {
      examples: [
        {
          ...exampleKey,
          key: "sk_test_7Hq2…",
          replacedKey: {
            ...exampleKey,
            id: "01932c5e-9a8b-7c6d-8e5f-4a3b2c1d0e9f",
            expiresAt: "2026-11-04T09:15:00.000Z",
            replacedBy: exampleKeyId,
          },
        },
      ],
    },
  ),
);

export function presentKey(key: ApiKey): Static<typeof keyData> {
  return {
    id: key.id,
    environmentId: key.environmentId,
    name: key.name,
    prefix: key.prefix,
    scopes: [...key.scopes],
    allowedAddresses: [...key.allowedAddresses],
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    replacedBy: key.replacedBy,
    createdAt: key.createdAt.toISOString(),
  };
}

export const auditData = named(
  "AuditEntry",
  Type.Object(
    {
      id: Uuid,
      at: Timestamp,
      actor: Type.String({ description: "Who did it." }),
      action: Type.String({ description: "What was done.", examples: ["key.revoke"] }),
      subjectType: Type.String(),
      subjectId: Type.String(),
      environmentId: idOrNull("The environment concerned."),
      detail: Type.Record(Type.String(), Type.Unknown(), {
        description: "What else is worth knowing; never a secret.",
      }),
      address: Type.String({ description: "From where." }),
      requestId: Type.String({ description: "The X-Request-Id of the request." }),
    },
    {
      examples: [
        {
          id: "01932c60-0a1b-7c2d-8e3f-405162738495",
          at: "2026-11-03T09:15:00.000Z",
          actor: "operator",
          action: "key.revoke",
          subjectType: "key",
          subjectId: exampleKeyId,
          environmentId: exampleEnvironmentId,
          detail: { name: "Payout server", prefix: "sk_test_7Hq2" },
          address: "203.0.113.7",
          requestId: "req_01932c60",
        },
      ],
    },
  ),
);

export function presentAuditEntry(entry: AuditEntry): Static<typeof auditData> {
  return { ...entry, at: entry.at.toISOString(), detail: { ...entry.detail } };
}
