/**
 * A merchant's server that takes webhooks, and keeps every attempt as it came. It is as bad as real ones: it loses its
 * reply, returns an error and is slow, so that there are attempts to compare.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import type { Random } from "./random.ts";

interface Attempt {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Checked on arrival, as a receiver does: a signature is good for five minutes. */
  readonly isSigned: boolean;
}

export interface HeldReplies {
  count(): number;
  /** Returns how many senders were gone by now. */
  release(): number;
}

export interface Mailbox {
  readonly url: string;
  /** Of each event, by its id, every attempt in order. */
  readonly attempts: ReadonlyMap<string, readonly Attempt[]>;
  /** Checks what comes from now on with this secret. */
  trust(secret: string): void;
  /** Replies to nobody until they are released. */
  holdReplies(): HeldReplies;
  /** What contradicts our promise, in words. */
  judge(wanted: readonly string[], known: ReadonlySet<string>): string[];
  close(): void;
}

/** All that may differ from one attempt to the next: when it was signed, and so the signature. */
const ofOneAttempt: readonly string[] = ["webhook-timestamp", "webhook-signature"];

export async function openMailbox(random: Random): Promise<Mailbox> {
  const attempts = new Map<string, Attempt[]>();
  let webhook: Webhook | undefined;
  let held: ServerResponse[] | undefined;
  const server = createServer((request, reply) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const id = headers["webhook-id"] ?? "";
      const body = Buffer.concat(parts);
      attempts.set(id, [...(attempts.get(id) ?? []), { headers, body, isSigned: isSigned(webhook, body, headers) }]);
      const chance = random.between(1, 20);
      if (held !== undefined) held.push(reply);
      else if (chance === 1) request.socket.destroy();
      else setTimeout(() => reply.writeHead(chance === 2 ? 500 : 200).end(), chance === 3 ? 500 : 2);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    attempts,
    trust: (secret) => {
      webhook = new Webhook(secret);
    },
    holdReplies() {
      const waiting: ServerResponse[] = [];
      held = waiting;
      return {
        count: () => waiting.length,
        release() {
          held = undefined;
          const gone = waiting.filter(({ destroyed }) => destroyed).length;
          for (const reply of waiting) reply.writeHead(200).end();
          return gone;
        },
      };
    },
    judge: (wanted, known) => judge(attempts, wanted, known),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function judge(attempts: Mailbox["attempts"], wanted: readonly string[], known: ReadonlySet<string>): string[] {
  const missing = wanted.filter((id) => !attempts.has(id)).map((id) => `event ${id} never arrived`);
  const strange = [...attempts.keys()].filter((id) => !known.has(id)).map((id) => `nobody wrote event ${id}`);
  return [...missing, ...strange, ...[...attempts].flatMap(([id, all]) => judgeEvent(id, all))];
}

function judgeEvent(id: string, all: readonly Attempt[]): string[] {
  const [first, ...later] = all;
  if (first === undefined) return [];
  const others = later.flatMap((attempt, index) => {
    const place = `attempt ${index + 2} at event ${id}`;
    return [
      ...(attempt.body.equals(first.body) ? [] : [`${place} has another body than the first`]),
      ...namesThatDiffer(first, attempt).map((name) => `${place} has another ${name} than the first`),
    ];
  });
  const unsigned = all.flatMap(({ isSigned }, index) =>
    isSigned ? [] : [`attempt ${index + 1} at event ${id} is not signed as it should be`],
  );
  return [...others, ...unsigned];
}

function namesThatDiffer(first: Attempt, other: Attempt): string[] {
  const names = new Set([...Object.keys(first.headers), ...Object.keys(other.headers)]);
  return [...names].filter((name) => !ofOneAttempt.includes(name) && first.headers[name] !== other.headers[name]);
}

function isSigned(webhook: Webhook | undefined, body: Buffer, headers: Attempt["headers"]): boolean {
  try {
    webhook?.verify(body, headers);
    return webhook !== undefined;
  } catch {
    return false;
  }
}
