/** What the database's facts mean for money that must not be lost. */
import type { DatabaseFacts, HouseFacts, LoginFacts } from "./database-facts-store.ts";
import { type Finding, good, look, missing } from "./finding.ts";

const oldestVersion = 15;
const mostDriftMs = 1_000;

export function judgeDatabase(facts: DatabaseFacts, { isRemote }: { readonly isRemote: boolean }): Finding[] {
  return [
    judgeVersion(facts),
    judgeDurability(facts),
    judgeStandbys(facts),
    judgeClock(facts),
    judgeTls(facts, isRemote),
  ];
}

function judgeVersion({ version, isStandby }: DatabaseFacts): Finding {
  if (version < oldestVersion) {
    return missing("PostgreSQL", `It is version ${version}.`, `Use PostgreSQL ${oldestVersion} or newer.`);
  }
  if (isStandby) {
    return missing("PostgreSQL", "It is a standby and takes no writes.", "Give the address of the primary.");
  }
  return good("PostgreSQL", `version ${version}`);
}

function judgeDurability({ fsync, fullPageWrites, synchronousCommit, checksums }: DatabaseFacts): Finding {
  const off = [
    ...(fsync ? [] : ["fsync"]),
    ...(fullPageWrites ? [] : ["full_page_writes"]),
    ...(synchronousCommit === "off" ? ["synchronous_commit"] : []),
  ];
  if (off.length > 0) {
    const named = new Intl.ListFormat("en-GB").format(off);
    const says = `${named} ${off.length === 1 ? "is" : "are"} off: a payout that was accepted can be lost.`;
    return missing("durability", says, `Turn ${named} on.`);
  }
  if (checksums) return good("durability", "what is accepted is on the disk, with checksums");
  return look(
    "durability",
    "Pages have no checksums: a disk that lies is not noticed.",
    "Stop PostgreSQL once and run pg_checksums --enable.",
  );
}

function judgeStandbys({ standbys, synchronousStandbys }: DatabaseFacts): Finding {
  if (synchronousStandbys > 0) return good("standby", `${synchronousStandbys} synchronous`);
  return look(
    "standby",
    standbys === 0 ? "There is no standby." : "No standby is synchronous.",
    "Without a synchronous standby, the last payouts are lost with the primary's disk.",
  );
}

function judgeClock({ clockAheadMs }: DatabaseFacts): Finding {
  const ahead = Math.round(Math.abs(clockAheadMs));
  if (ahead <= mostDriftMs) return good("clock", `${ahead} ms from the database's`);
  const says = `This machine's clock is ${Math.round(ahead / 100) / 10} s from the database's.`;
  return missing("clock", says, "Let both machines follow the same time servers (chrony, systemd-timesyncd).");
}

function judgeTls({ usesTls }: DatabaseFacts, isRemote: boolean): Finding {
  if (usesTls || !isRemote)
    return good("connection", usesTls ? "TLS to the database" : "the database is on this machine");
  return missing(
    "connection",
    "The database is on another machine, and the connection has no TLS.",
    "Add ?sslmode=verify-full to DATABASE_URL, and sslrootcert if the authority is your own.",
  );
}

/** What serves requests must not be able to see one tenant's rows in another's name. */
export function judgeLogin({ isSuperuser, bypassesTenants, ownsTables }: LoginFacts): Finding {
  const cure = "Let DATABASE_URL name a plain member of jara_app that owns nothing.";
  if (isSuperuser) return missing("tenants", "The login that serves requests is a superuser.", cure);
  if (bypassesTenants)
    return missing("tenants", "The login that serves requests may pass row level security by.", cure);
  if (ownsTables) {
    return look("tenants", "The login of DATABASE_URL owns the tables; the server steps down from it.", cure);
  }
  return good("tenants", "the login that serves requests stays inside row level security");
}

export function judgeHouse({ demoMerchants, livePorts }: HouseFacts): Finding[] {
  return [
    demoMerchants === 0
      ? good("demo", "no demo merchant")
      : look("demo", "The demo merchant is in this database.", "Begin production with an empty database."),
    livePorts.includes("bank")
      ? good("rails", `live: ${livePorts.join(", ")}`)
      : look(
          "rails",
          livePorts.length === 0 ? "No live provider is connected." : `Live: ${livePorts.join(", ")}, but no bank.`,
          "Connect one: the guide about going live shows it. Until then live payouts are refused.",
        ),
  ];
}

export function judgeMigrations(waiting: readonly string[], { isEmpty }: { readonly isEmpty: boolean }): Finding {
  if (waiting.length === 0) return good("schema", "up to date");
  const says = isEmpty ? "The database is empty." : `${waiting.length} migrations wait, the first is ${waiting[0]}.`;
  return look("schema", says, "The first server that starts brings it up to date. Take a backup before an upgrade.");
}
