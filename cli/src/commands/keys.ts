import type { Given } from "../command.ts";
import { moment } from "../words.ts";

interface Key {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
  readonly expiresAt: string | null;
  /** Of a new one, and only in the reply that made it. */
  readonly key?: string;
}

function showNew({ screen }: Pick<Given, "screen">, made: Key): void {
  screen.record(made, [
    ["key", made.key ?? ""],
    ["name", made.name],
    ["id", made.id],
    ["note", "It is shown this once. Keep it where your server reads it."],
  ]);
}

export async function createKey(given: Given, options: { readonly name: string }, environmentId = ""): Promise<void> {
  const path = `/operator/environments/${encodeURIComponent(environmentId)}/keys`;
  showNew(given, await given.operate().call<Key>("POST", path, { name: options.name }));
}

export async function rotateKey(given: Given, options: { readonly overlap: number }, id = ""): Promise<void> {
  const body = { overlapSeconds: options.overlap };
  showNew(given, await given.operate().call<Key>("POST", `/operator/keys/${encodeURIComponent(id)}/rotate`, body));
}

export async function revokeKey({ screen, operate }: Given, _options: object, id = ""): Promise<void> {
  const revoked = await operate().call<Key>("POST", `/operator/keys/${encodeURIComponent(id)}/revoke`);
  screen.record(revoked, [
    ["key", `${revoked.prefix}…`],
    ["revoked", moment(revoked.revokedAt)],
  ]);
}

const mostKeys = 10_000;

function works({ revokedAt, expiresAt }: Key): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());
}

export async function listKeys({ screen, operate }: Given, _options: object, environmentId = ""): Promise<void> {
  const path = `/operator/environments/${encodeURIComponent(environmentId)}/keys`;
  const found = await operate().list<Key>(path, mostKeys);
  const rows = found.map((one) => [
    one.name,
    `${one.prefix}…`,
    works(one) ? screen.colors.green("works") : screen.colors.red(one.revokedAt === null ? "expired" : "revoked"),
    one.lastUsedAt === null ? "never" : moment(one.lastUsedAt),
    one.id,
  ]);
  screen.records(found, { head: ["NAME", "KEY", "STATE", "LAST USED", "ID"], rows }, "No keys yet.");
}
