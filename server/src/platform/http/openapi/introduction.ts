/** The opening text of the API reference: what its reader must know before the first request. */
export function introduction(audience: "integrators" | "operators", baseUrl: string): string {
  if (audience === "operators") return forOperators(baseUrl);
  return [opening(baseUrl), keys, families, rules, sandbox].join("\n\n");
}

function forOperators(baseUrl: string): string {
  return `Merchants, environments, keys, decisions and corrections, for the people who run Jara. Every request carries
\`Authorization: Bearer <operator token>\`. The token is \`JARA_OPERATOR_TOKEN\`; on a developer's machine it is
\`operatorToken\` in \`.jara/dev.json\`. Everything that is changed here is in the audit trail.

\`\`\`sh
curl ${baseUrl}/operator/merchants \\
  -H "Authorization: Bearer op_…"
\`\`\`

Envelopes, errors, idempotency and lists are those of the integrators' reference at [/docs](/docs).`;
}

function opening(baseUrl: string): string {
  return `Jara gives a merchant's application loans, bill payments, bank payouts, checkout on credit and wallets behind
one API. Everything can be tried in a sandbox, where money, banks, billers and cards are simulated and time
can be moved.

## A first request

\`\`\`sh
curl ${baseUrl}/wallets/balance \\
  -H "Authorization: Bearer sk_test_…"
\`\`\``;
}

const keys = `## Keys

Every request carries \`Authorization: Bearer <secret key>\`. A key belongs to one environment of one merchant:
\`sk_test_…\` works in a sandbox, \`sk_live_…\` in the live environment. A key can be limited to scopes
(\`transfers:write\`), to addresses and to a time; it is shown once and can be rotated with an overlap in which
both the old and the new one work. Keep it on your server.`;

const families = `## Two families

Paths under \`/loans\` speak snake_case. They answer

\`\`\`json
{
  "status": "success", "title": "…", "message": "…",
  "data": {}, "meta": {}
}
\`\`\`

and refuse with

\`\`\`json
{
  "status": "error", "title": "…", "message": "…",
  "code": "validation_failed",
  "errors": [
    { "field": "bank_code", "message": "is required" }
  ],
  "data": null, "request_id": "…"
}
\`\`\`

All other paths speak camelCase. They answer

\`\`\`json
{
  "status": true, "message": "…",
  "data": {}, "pagination": {}
}
\`\`\`

and refuse with

\`\`\`json
{
  "status": false, "message": "…",
  "code": "validation_failed",
  "errors": [
    { "field": "bankCode", "message": "is required" }
  ],
  "data": null, "requestId": "…"
}
\`\`\`

Money is naira: a JSON number with at most two decimals, or a string with exactly two (\`"50000.00"\`).
Timestamps are ISO 8601 in UTC with milliseconds. Ids are UUIDs. A field in another casing
(\`accountNumber\` where a body has \`account_number\`, or the reverse) is refused, and \`errors\` names the field
to send. Other unknown fields of a body or query are ignored, and a sandbox's reply names them in the header
\`Jara-Warning\`, with the field that was probably meant; a wrong type is refused. Numbers in a query
are plain decimals.`;

const rules = `## Errors

Decide on \`code\`, a stable word; \`message\` is for people and may change. \`errors\` names every bad field at
once, such as \`transfers[3].amount\`. \`data\` holds what you need to go on, or null. Each answer carries
\`X-Request-Id\`: quote it when you ask for help. An id of another merchant and an id that does not exist get
the same 404. A path that does not exist gets 404 \`not_found\`, a method that it does not take gets 405
\`method_not_allowed\` with \`Allow\`, and what is not HTTP that we can read gets 400, 408 or 431. These come
before any endpoint, so the document has them once, as the responses whose names begin with Unrouted. A 503 with
\`Retry-After\` says that nothing was changed, or that the record can be queried by your own reference.

## Idempotency

Send an \`Idempotency-Key\` header with any POST. The same key with the same body gives the first reply again,
to the byte, with the header \`Idempotent-Replayed: true\`; the same key with another body or path is refused
with \`idempotency_key_conflict\`. Keys are kept for at least 24 hours. Only successful replies are kept, so a
refused request can be corrected and sent again.

## Lists

Lists take \`page\` (from 1) and \`limit\` (10 unless given, at most 100) and are newest first. The totals are
exact. A page past the end is empty. Lists under \`/loans\` return \`meta\`, all others
return \`pagination\`.

## Limits

A body may have 1 MiB. A key may send 100 requests a second with bursts of 200, unless the operator chose
otherwise; the headers \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` tell where you
stand, and 429 comes with \`Retry-After\`. The limits count in each server process for itself.`;

const sandbox = `## The sandbox's inputs

| input | outcome |
|---|---|
| reference ending \`_FAIL\` | the bank or biller refuses: \`transfer.failed\`, \`bill.failed\` |
| reference ending \`_PENDING\` | stays in processing until you decide, or the sandbox's clock moves a day |
| reference ending \`_TIMEOUT\` | is done, but the answer is lost: found by asking again, after some seconds |
| reference ending \`_REVERSE\` | succeeds, and is reversed about 3 s later |
| account or smart card \`0000000000\`, betting customer \`0000\` | not found |
| bank \`999\` | always down; \`998\` answers after 10 s |
| BVN ending \`0000\` | the loan is rejected |

Everything else succeeds, with a name made from the number, the same every time.`;
