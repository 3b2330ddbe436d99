/** Connecting a provider: it is asked before anything is saved, and what it says is told to the operator. */
import { uuidv7 } from "uuidv7";
import type { Kobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { commonProblem } from "../../platform/problem.ts";
import { type Origin, recordAudit } from "../../platform/records/audit.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import type { Connected, ConnectionCheck, ConnectionMode, ConnectionSettings, Port, Provider } from "../provider.ts";
import { type Connection, type ConnectionState, canMove, hasPassed, isTrustedAddress } from "./connection.ts";
import { changeConnection, findConnection, insertConnection, recordChecks, recordFloat } from "./connection-store.ts";
import { type Credentials, portsWith, readCredentials, sealCredentials } from "./credentials.ts";
import { connectionProblem } from "./errors.ts";
import { presentCheck } from "./schemas.ts";

export interface NewConnection {
  readonly provider: Provider;
  readonly name: string;
  readonly mode: ConnectionMode;
  readonly credentials: Readonly<Record<string, string>>;
  readonly baseUrl: string | undefined;
  readonly ports: readonly Port[] | undefined;
}

/** Asks the provider, outside of any transaction. Throws unless all is well. */
export async function tryConnection(sealer: Sealer, wanted: NewConnection): Promise<Connection> {
  const { provider, name, mode, ports = portsWith(provider, wanted.credentials) } = wanted;
  const unserved = ports.filter((port) => !provider.ports.includes(port));
  if (unserved.length > 0) {
    const message = `is not offered by ${provider.name}, which has ${provider.ports.join(", ")}`;
    throw commonProblem("validation_failed", {
      errors: unserved.map((port) => ({ field: "ports", message: `${port} ${message}` })),
    });
  }
  const baseUrl = wanted.baseUrl ?? (mode === "live" ? provider.defaultBaseUrl : provider.testBaseUrl);
  if (!isTrustedAddress(baseUrl)) throw connectionProblem("connection_address_refused");
  const credentials = readCredentials(provider, wanted.credentials, ports);
  const id = uuidv7();
  const { checks, float } = await lookOnce(provider, { connectionId: id, mode, baseUrl, credentials });
  const now = new Date();
  return {
    id,
    provider: provider.name,
    name,
    mode,
    ports,
    baseUrl,
    sealedCredentials: sealCredentials(sealer, id, credentials),
    state: "active",
    hold: null,
    checks,
    checksPassed: true,
    checkedAt: now,
    float: float === null ? null : { available: float, readAt: now },
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

/** What a look at a connection has found. */
export interface Looked {
  readonly checks: readonly ConnectionCheck[];
  /** Our balance at the provider; null where it is not told, or where a check failed. */
  readonly float: Kobo | null;
}

/** Throws connection_check_failed unless the provider is content. */
async function lookOnce(provider: Provider, settings: ConnectionSettings): Promise<Looked> {
  const connected = provider.connect(settings);
  try {
    const looked = await lookAt(connected);
    const { checks } = looked;
    if (hasPassed(checks)) return looked;
    throw connectionProblem("connection_check_failed", { data: { checks: checks.map(presentCheck) } });
  } finally {
    await connected.close?.();
  }
}

/** Checks, and reads the balance, so that an operator sees at once what there is. */
export async function lookAt(connected: Pick<Connected, "check" | "readFloat">): Promise<Looked> {
  const checks = await runChecks(connected);
  const reading = hasPassed(checks) ? await connected.readFloat?.().catch(() => null) : null;
  return { checks, float: reading != null && "available" in reading ? reading.available : null };
}

export async function recordLook(tx: Tx, id: string, { checks, float }: Looked): Promise<void> {
  await recordChecks(tx, id, checks);
  if (float !== null) await recordFloat(tx, id, float);
}

/** A check that fails by itself is a check that failed. */
async function runChecks(connected: Pick<Connected, "check">): Promise<readonly ConnectionCheck[]> {
  try {
    return await connected.check();
  } catch {
    return [{ name: "provider", result: "failed", message: "The provider could not be asked." }];
  }
}

export async function saveConnection(tx: Tx, connection: Connection, origin: Origin): Promise<void> {
  await insertConnection(tx, connection);
  await recordAudit(tx, origin, {
    action: "connection.create",
    subjectType: "connection",
    subjectId: connection.id,
    detail: {
      provider: connection.provider,
      name: connection.name,
      mode: connection.mode,
      ports: connection.ports,
      baseUrl: connection.baseUrl,
    },
  });
}

export interface ConnectionEdit {
  readonly name?: string | undefined;
  readonly state?: ConnectionState | undefined;
  readonly credentials?: Readonly<Record<string, string>> | undefined;
}

/** New credentials are tried before they take the place of the old ones, outside of any transaction. */
export async function tryCredentials(
  provider: Provider,
  { id: connectionId, mode, baseUrl, ports }: Connection,
  given: Readonly<Record<string, string>>,
): Promise<{ readonly credentials: Credentials; readonly looked: Looked }> {
  const credentials = readCredentials(provider, given, ports);
  return { credentials, looked: await lookOnce(provider, { connectionId, mode, baseUrl, credentials }) };
}

export async function editConnection(
  tx: Tx,
  sealer: Sealer,
  id: string,
  edit: { readonly name?: string | undefined; readonly state?: ConnectionState | undefined } & {
    readonly tried?: Awaited<ReturnType<typeof tryCredentials>> | undefined;
  },
  origin: Origin,
): Promise<Connection> {
  const { name, state, tried } = edit;
  // Locks: the connection, so that of two operators the later one sees what the other did.
  const found = await findConnection(tx, id, { lock: true });
  if (found === undefined) throw connectionProblem("connection_not_found");
  if (state !== undefined && state !== found.state && !canMove(found.state, state)) {
    throw commonProblem("invalid_state", {
      message: `The connection is ${found.state}, which does not allow this.`,
      data: { status: found.state },
    });
  }
  await changeConnection(tx, id, {
    ...(name === undefined ? {} : { name }),
    ...(state === undefined ? {} : { state }),
    ...(tried === undefined ? {} : { sealedCredentials: sealCredentials(sealer, id, tried.credentials) }),
  });
  if (tried !== undefined) await recordLook(tx, id, tried.looked);
  await recordAudit(tx, origin, {
    action: "connection.change",
    subjectType: "connection",
    subjectId: id,
    detail: {
      ...(name === undefined ? {} : { name }),
      ...(state === undefined ? {} : { state }),
      credentials: tried === undefined ? "kept" : "replaced",
    },
  });
  return requireConnection(tx, id);
}

export async function requireConnection(tx: Tx, id: string): Promise<Connection> {
  const found = await findConnection(tx, id);
  if (found === undefined) throw connectionProblem("connection_not_found");
  return found;
}
