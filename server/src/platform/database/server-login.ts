/**
 * The login that a server works with where only its owner's is known. A connection that steps down from the owner
 * (`set role`) can step up again: PostgreSQL has no way to give a right back for good. So the server gets a login of
 * its own, a member of jara_app and of nothing else. Its password follows from the owner's by a one-way function: every
 * server of the database arrives at the same, nothing has to be kept anywhere, and it does not lead back to the owner.
 */
import { hkdfSync } from "node:crypto";
import pg from "pg";

export function serverPassword(ownerPassword: string): string {
  return Buffer.from(hkdfSync("sha256", ownerPassword, "", "jara/server-login", 24)).toString("hex");
}

/**
 * The same database under the server's own login, which is made where it is missing. Undefined where that cannot be:
 * the owner may not make roles, has no password, or a pooler in between does not know the new login.
 */
export async function openServerLogin(ownerUrl: string, applicationRole: string): Promise<string | undefined> {
  const url = new URL(ownerUrl);
  if (url.password === "") return undefined;
  const password = serverPassword(decodeURIComponent(url.password));
  const name = `jara_server_${decodeURIComponent(url.pathname.slice(1))}`.slice(0, 63);
  url.username = encodeURIComponent(name);
  url.password = password;
  const serverUrl = url.toString();
  if (await canLogIn(serverUrl)) return serverUrl;
  const made = await makeLogin(ownerUrl, { name, password, applicationRole });
  return made && (await canLogIn(serverUrl)) ? serverUrl : undefined;
}

async function canLogIn(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    // Why does not matter: what was not possible before is tried, and what stays impossible is done without.
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

interface Login {
  readonly name: string;
  readonly password: string;
  readonly applicationRole: string;
}

async function makeLogin(ownerUrl: string, { name, password, applicationRole }: Login): Promise<boolean> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const role = client.escapeIdentifier(name);
  try {
    await client.query("begin");
    // Servers that start together take turns, and roles belong to the whole cluster.
    await client.query("select pg_advisory_xact_lock(hashtext('jara.server_login'))");
    const found = await client.query("select from pg_roles where rolname = $1", [name]);
    if (found.rowCount === 0) await client.query(`create role ${role}`);
    await client.query(`alter role ${role} login password ${client.escapeLiteral(password)}`);
    await client.query(`grant ${applicationRole} to ${role}`);
    await client.query("commit");
    return true;
  } catch (error) {
    if (isForbidden(error)) return false;
    throw error;
  } finally {
    await client.end();
  }
}

function isForbidden(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "42501";
}
