/**
 * Everything that can be set from outside, read once at the start and frozen. Only here and in
 * `config-variables.ts` are names of environment variables known; `main.ts` hands the environment in.
 */
import { resolve } from "node:path";
import Type, { type Static, type TSchema } from "typebox";
import { Check } from "typebox/value";
import { type Block, parseBlock } from "../platform/http/guard/address-blocks.ts";
import { parseMasterKeys } from "../platform/secrets/crypto.ts";
import { type Notes, variables } from "./config-variables.ts";
import { type TracingSettings, tracingOf } from "./tracing-settings.ts";

export interface Config {
  readonly port: number;
  readonly host: string;
  readonly publicUrl: string;
  /** False, the number of proxies in front, or their addresses. */
  readonly trustProxy: false | number | string;
  readonly home: string;
  /** Where backups go, and the embedded PostgreSQL's log of changes between them. */
  readonly backupFolder?: string;
  /** Where old events go, and after how many days online; undefined keeps them all in the database. */
  readonly archive:
    | { readonly folder: string; readonly days: { readonly LIVE: number; readonly SANDBOX: number } }
    | undefined;
  readonly databaseUrl?: string;
  readonly databaseOwnerUrl?: string;
  readonly databaseDirectUrl?: string;
  /** Standbys that may serve readings. */
  readonly replicaUrls: readonly string[];
  /** Unless it is said, on without a pooler and off with one. */
  readonly preparedStatements?: boolean;
  readonly poolSize: number;
  /** Requests per second and key; 0 turns the limit off. */
  readonly rateLimit: number;
  /** How long requests are kept for the people who sent them; 0 turns the log of requests off. */
  readonly requestLogDays: number;
  /** Whether the demo merchant of a local start makes payouts, bills and loans to look at. */
  readonly demo: boolean;
  /** Whether an account number with a wrong check digit is refused or only remarked on. */
  readonly nubanCheck: "warn" | "refuse";
  /** To which addresses webhooks may go although they are not public. */
  readonly webhookReach: { readonly blocks: readonly Block[]; readonly sandboxLoopback: boolean };
  /** In whose name live loans at the checkout are made. */
  readonly lender?: {
    readonly name: string;
    readonly registration: string;
    readonly email: string;
    readonly phone: string;
    readonly regulator: string;
  };
  readonly operatorToken?: string;
  /** Who may read /metrics: the holder of a token, or who reaches a port of its own. */
  readonly metricsToken?: string;
  readonly metricsPort?: number;
  readonly masterKey?: string;
  readonly role: "api" | "worker" | "all";
  readonly logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  /** For a person (sentences, and the log in a file) or for a machine (the log as JSON on standard output). */
  readonly output: "friendly" | "json";
  readonly production: boolean;
  readonly shutdownGraceMs: number;
  readonly tracing?: TracingSettings;
}

type Values = Static<ReturnType<typeof Type.Object<typeof variables>>>;

export type Environment = Readonly<Record<string, string | undefined>>;

export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Throws a ConfigError that names every bad variable at once. */
export function readConfig(environment: Environment): Config {
  const values: Record<string, unknown> = {};
  const complaints: string[] = [];
  for (const [name, schema] of Object.entries<TSchema & Partial<Notes>>(variables)) {
    // An empty variable counts as not set: compose files and CI systems pass empty strings along.
    const text = environment[name] === "" ? undefined : environment[name];
    const value = text === undefined ? defaultOf(schema) : parse(schema, text);
    const complaint = complain(name, schema, text, value, environment["NODE_ENV"] === "production");
    if (complaint !== undefined) complaints.push(complaint);
    if (value !== undefined) values[name] = value;
  }
  complaints.push(...incompleteLender(values as Values), ...takenPort(values as Values));
  if (complaints.length > 0) throw new ConfigError(`Jara cannot start like this:\n  ${complaints.join("\n  ")}`);
  return Object.freeze(toConfig(values as Values));
}

const lenderVariables = [
  "JARA_LENDER_NAME",
  "JARA_LENDER_REGISTRATION",
  "JARA_LENDER_EMAIL",
  "JARA_LENDER_PHONE",
] as const;

/** Customers must be told all of it, so half of it is a mistake. */
function incompleteLender(values: Values): string[] {
  const missing = lenderVariables.filter((name) => values[name] === undefined);
  if (missing.length === 0 || missing.length === lenderVariables.length) return [];
  return missing.map((name) => `${name} is not set, though other details of the lender are; it should be set too.`);
}

function takenPort({ PORT, JARA_METRICS_PORT }: Values): string[] {
  return JARA_METRICS_PORT === PORT ? ["JARA_METRICS_PORT is the same as PORT; it should be another."] : [];
}

function complain(
  name: string,
  schema: TSchema & Partial<Notes>,
  text: string | undefined,
  value: unknown,
  production: boolean,
): string | undefined {
  if (text === undefined) {
    if (!production || schema.requiredInProduction !== true) return undefined;
    return `${name} is not set; in production it must be ${schema.expects}.`;
  }
  if (Check(schema, value) && (closerLooks[name]?.(text) ?? true)) return undefined;
  const shown = schema.secret === true ? "set, but wrong (its value is secret and not shown)" : JSON.stringify(text);
  return `${name} is ${shown}; it should be ${schema.expects}.`;
}

/** What a schema cannot tell. */
const closerLooks: Readonly<Record<string, (text: string) => boolean>> = {
  JARA_MASTER_KEY: isMasterKey,
  JARA_WEBHOOK_ALLOWED_SUBNETS: (text) => blocksOf(text).length === text.split(",").length,
};

function blocksOf(text: string): Block[] {
  return text.split(",").flatMap((entry) => {
    const block = parseBlock(entry.trim());
    return block === undefined ? [] : [block];
  });
}

function isMasterKey(text: string): boolean {
  try {
    return parseMasterKeys(text).length > 0;
  } catch {
    return false;
  }
}

function defaultOf(schema: TSchema): unknown {
  return "default" in schema ? schema.default : undefined;
}

/** Strict on purpose: "4000x", "1e3" and "yes" stay text, and the schema refuses them. */
function parse(schema: TSchema, text: string): unknown {
  if (Type.IsInteger(schema) && /^\d{1,15}$/.test(text)) return Number(text);
  if (Type.IsBoolean(schema) && (text === "true" || text === "false")) return text === "true";
  return text;
}

function toConfig(values: Values): Config {
  return {
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL ?? `http://localhost:${values.PORT}`,
    trustProxy: trustProxyOf(values.TRUST_PROXY),
    home: resolve(values.JARA_HOME),
    ...(values.JARA_BACKUP_FOLDER === undefined ? {} : { backupFolder: resolve(values.JARA_BACKUP_FOLDER) }),
    archive: archiveOf(values),
    ...(values.DATABASE_URL === undefined ? {} : { databaseUrl: values.DATABASE_URL }),
    ...(values.DATABASE_OWNER_URL === undefined ? {} : { databaseOwnerUrl: values.DATABASE_OWNER_URL }),
    ...(values.DATABASE_DIRECT_URL === undefined ? {} : { databaseDirectUrl: values.DATABASE_DIRECT_URL }),
    replicaUrls: values.JARA_REPLICA_URLS === "" ? [] : values.JARA_REPLICA_URLS.split(/, */),
    ...(values.JARA_PREPARED_STATEMENTS === undefined ? {} : { preparedStatements: values.JARA_PREPARED_STATEMENTS }),
    poolSize: values.JARA_POOL_SIZE,
    rateLimit: values.JARA_RATE_LIMIT,
    requestLogDays: values.JARA_REQUEST_LOG_DAYS,
    demo: values.JARA_DEMO === "on",
    nubanCheck: values.JARA_NUBAN_CHECK,
    webhookReach: {
      blocks: blocksOf(values.JARA_WEBHOOK_ALLOWED_SUBNETS),
      sandboxLoopback: values.JARA_SANDBOX_WEBHOOKS_TO_LOOPBACK ?? values.NODE_ENV !== "production",
    },
    ...lenderOf(values),
    ...(values.JARA_OPERATOR_TOKEN === undefined ? {} : { operatorToken: values.JARA_OPERATOR_TOKEN }),
    ...(values.JARA_METRICS_TOKEN === undefined ? {} : { metricsToken: values.JARA_METRICS_TOKEN }),
    ...(values.JARA_METRICS_PORT === undefined ? {} : { metricsPort: values.JARA_METRICS_PORT }),
    ...(values.JARA_MASTER_KEY === undefined ? {} : { masterKey: values.JARA_MASTER_KEY }),
    role: values.JARA_ROLE,
    logLevel: values.LOG_LEVEL,
    output: values.JARA_OUTPUT ?? (values.NODE_ENV === "production" ? "json" : "friendly"),
    production: values.NODE_ENV === "production",
    shutdownGraceMs: values.JARA_SHUTDOWN_GRACE * 1000,
    ...tracingOf(values),
  };
}

function archiveOf(values: Values): Config["archive"] {
  if (values.JARA_ARCHIVE_FOLDER === undefined) return undefined;
  const days = { LIVE: values.JARA_EVENTS_LIVE_DAYS, SANDBOX: values.JARA_EVENTS_SANDBOX_DAYS };
  return { folder: resolve(values.JARA_ARCHIVE_FOLDER), days };
}

function lenderOf(values: Values): Pick<Config, "lender"> {
  const [name, registration, email, phone] = lenderVariables.map((variable) => values[variable]);
  if (name === undefined || registration === undefined || email === undefined || phone === undefined) return {};
  return { lender: { name, registration, email, phone, regulator: values.JARA_LENDER_REGULATOR } };
}

function trustProxyOf(text: string): false | number | string {
  if (text === "false") return false;
  return /^\d+$/.test(text) ? Number(text) : text;
}
