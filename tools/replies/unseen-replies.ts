/** Which documented replies no test has seen. */

/**
 * These come from the machine or the clock rather than from an operation: the database is away, a limit is used up, a
 * line is too long, another request is under way. They are the same code for all operations, so one of them is enough.
 */
const sameEverywhere = new Set([
  "internal",
  "unavailable",
  "headers_too_large",
  "rate_limited",
  "environment_busy",
  "idempotency_key_in_use",
  "invalid_request",
  "key_revoked",
  "key_expired",
  "address_not_allowed",
  "ledger_busy",
]);

export function findUnseen(documented: Iterable<string>, seen: ReadonlySet<string>): string[] {
  const seenAnywhere = new Set([...seen].map(replyOf));
  const isSeen = (line: string): boolean =>
    seen.has(line) || (sameEverywhere.has(replyOf(line)) && seenAnywhere.has(replyOf(line)));
  return [...new Set(documented)].filter((line) => !isSeen(line)).sort();
}

function replyOf(line: string): string {
  return line.slice(line.lastIndexOf(" ") + 1);
}
