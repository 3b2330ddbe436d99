/** The headers of replies: what each says, and which of them a reply carries. */
import { apiVersion } from "../reply/envelope.ts";
import { isReadFromAnySite } from "../reply/other-origins.ts";
import type { Route } from "../route.ts";

type HeaderObjects = Record<string, unknown>;

/** `required` means: every reply that refers to this header carries it. */
export const headerComponents: HeaderObjects = {
  "X-Request-Id": {
    description: "Names this request in our logs. Send your own to have it used.",
    required: true,
    schema: { type: "string", examples: ["req_Wq3n0vY7kT2a1c"] },
  },
  "API-Version": {
    description: "The version of the interface.",
    required: true,
    schema: { type: "string", const: apiVersion },
  },
  "Idempotent-Replayed": {
    description: "Sent as `true` when this request was handled before: nothing was done a second time.",
    schema: { type: "string", const: "true" },
  },
  "Retry-After": {
    description: "Seconds to wait before sending the same request again.",
    schema: { type: "integer", minimum: 0, examples: [1] },
  },
  "RateLimit-Limit": {
    description: "How many requests fit into one burst.",
    schema: { type: "integer", examples: [200] },
  },
  "RateLimit-Remaining": {
    description: "How many of them are left.",
    schema: { type: "integer", examples: [199] },
  },
  "RateLimit-Reset": {
    description: "Seconds until another request is let in; 0 while some are left.",
    schema: { type: "integer", examples: [0] },
  },
  "Jara-Warning": {
    description:
      "In a sandbox: what was sent and does nothing, such as a misspelt field, with what was probably meant.",
    schema: { type: "string", examples: ["unknown field sourceAcountId, did you mean sourceAccountId?"] },
  },
  "WWW-Authenticate": {
    description: "How to authenticate.",
    required: true,
    schema: { type: "string", const: "Bearer" },
  },
  Allow: {
    description: "The methods that the path takes.",
    required: true,
    schema: { type: "string", examples: ["GET, OPTIONS"] },
  },
  Link: {
    description: "Leads to what the documentation says about this error.",
    required: true,
    schema: { type: "string", examples: ['<http://localhost:4000/docs/errors#invalid_key>; rel="help"'] },
  },
  "Access-Control-Allow-Origin": {
    description: "The page of any site may read this reply.",
    required: true,
    schema: { type: "string", const: "*" },
  },
  "Access-Control-Expose-Headers": {
    description: "Which headers such a page may read.",
    required: true,
    schema: { type: "string" },
  },
  ETag: {
    description: "Names this content. Send it in If-None-Match to learn whether it has changed.",
    required: true,
    schema: { type: "string", examples: ['"x2q8…"'] },
  },
};

export function headersNamed(...names: readonly string[]): HeaderObjects {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** On every reply of this route. Operators are not counted, and only a key belongs to a sandbox that warns. */
export function commonHeaders(route: Route): HeaderObjects {
  const limits = route.guard === "operator" ? [] : ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];
  const warning = route.guard === "key" || route.guard === "member" ? ["Jara-Warning"] : [];
  const shared = isReadFromAnySite(route) ? ["Access-Control-Allow-Origin", "Access-Control-Expose-Headers"] : [];
  return headersNamed("X-Request-Id", "API-Version", ...limits, ...warning, ...shared);
}

/** On this route's successes. */
export function successHeaders(route: Route): HeaderObjects {
  const own = Object.entries(route.reply.headers ?? {});
  return {
    ...commonHeaders(route),
    ...(route.reply.cached === true ? headersNamed("ETag") : {}),
    ...(route.method === "POST" ? headersNamed("Idempotent-Replayed") : {}),
    ...Object.fromEntries(own.map(([name, description]) => [name, { description, schema: { type: "string" } }])),
  };
}
