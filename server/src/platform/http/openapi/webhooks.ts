/** The `webhooks` of the OpenAPI document: every event as the request that an endpoint receives. */
import { type TObject, Type } from "typebox";
import type { EventCatalogue, EventKind } from "../../records/event-catalogue.ts";
import { EnvironmentWord, Timestamp, Uuid } from "../wire.ts";
import type { Components } from "./components.ts";
import { exampleOf } from "./example.ts";
import { pascal } from "./words.ts";

/** Events stand in the reference beside the endpoints that receive them. */
export const webhookTag = "Webhooks";

export function webhooksOf(catalogue: EventCatalogue, components: Components): Record<string, unknown> {
  return Object.fromEntries(Object.entries(catalogue).map(([name, kind]) => [name, webhookOf(name, kind, components)]));
}

const signatureHeaders = [
  ["webhook-id", "The event's id, the same over all retries.", exampleOf(Uuid)],
  ["webhook-timestamp", "Seconds since 1970 when this attempt was made.", "1793521800"],
  [
    "webhook-signature",
    "Standard Webhooks: `v1,` and the Base64 of HMAC-SHA256 over `id.timestamp.body`; two during a rotation.",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ],
].map(([name, description, example]) => ({
  name: String(name),
  in: "header",
  required: true,
  description,
  schema: { type: "string", examples: [example] },
}));

function webhookOf(name: string, kind: EventKind, components: Components): unknown {
  const body = Type.Object({
    id: Uuid,
    event: Type.Literal(name),
    created_at: Timestamp,
    environment: EnvironmentWord,
    resource_version: Type.Integer({
      minimum: 1,
      description: "Counts the changes of the record: the higher of two is the later.",
    }),
    data: kind.data,
  });
  const sameAs = kind.readAt === undefined ? "" : `\n\n\`data\` is what \`GET ${kind.readAt}\` shows at that moment.`;
  return {
    post: {
      operationId: operationIdOf(name),
      tags: [webhookTag],
      summary: name,
      description: kind.description + sameAs,
      security: [],
      parameters: signatureHeaders.map((header) => components.parameter(pascal(header.name), header)),
      requestBody: {
        required: true,
        content: { "application/json": { schema: components.schemas.write(body), example: exampleFor(body, kind) } },
      },
      responses: {
        "2XX": { description: "Return any 2xx within 15 seconds. Everything else is retried." },
        "410": { description: "Disables the endpoint." },
      },
    },
  };
}

function exampleFor(body: TObject, { example }: EventKind): unknown {
  const made = exampleOf(body) as Record<string, unknown>;
  return example === undefined ? made : { ...made, data: example };
}

/** transfer.completed reads onTransferCompleted. */
function operationIdOf(name: string): string {
  return `on${name
    .split(".")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")}`;
}
