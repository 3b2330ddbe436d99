/** What every test asks of the log of requests, whatever it sent and got. */
import type pg from "pg";

interface Line {
  readonly requestId: string;
  readonly text: string;
}

const passedOver = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\d/gi;
const telling = /\d{9}|[sp]k_(?:test|live)_\w{8}|whsec_\w|"(?:otp|bvn|nin|secret|token)":"[^"[]/;

/** All that the log keeps, but the name of the request, which its caller may choose. */
export async function readLoggedLines(owner: pg.Client): Promise<Line[]> {
  const found = await owner.query<Line>(
    `select request_id as "requestId", concat_ws(' ', path, idempotency_key, user_agent, warning,
       request_body, response_body) as text from api_requests`,
  );
  return found.rows;
}

/** Throws for a line that tells a key, a secret, a code or a number as long as an account's. */
export async function refuseTellingLines(owner: pg.Client): Promise<void> {
  const lines = await readLoggedLines(owner);
  const told = lines.find(({ text }) => telling.test(text.replaceAll(passedOver, "")));
  if (told !== undefined) throw new Error(`the log of requests tells too much: ${told.text}`);
}
