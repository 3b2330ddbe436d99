/**
 * Everything that can be set from outside, read once at the start and frozen. This is the only place that knows names
 * of environment variables; `main.ts` hands the environment in.
 */
import { resolve } from "node:path";
import Type, { type Static, type TProperties, type TSchema } from "typebox";
import { Check } from "typebox/value";
import { usualRegulator } from "./checkout/loans/lender.ts";
import { type Block, parseBlock } from "./platform/http/address-blocks.ts";
import { parseMasterKeys } from "./platform/secrets/crypto.ts";

export interface Config {
  readonly port: number;
  readonly host: string;
  readonly publicUrl: string;
  /** False, the number of proxies in front, or their addresses. */
  readonly trustProxy: false | number | string;
  readonly home: string;
  /** Where backups go, and the embedded PostgreSQL's log of changes between them. */
  readonly backupFolder?: string;
  readonly databaseUrl?: string;
  readonly databaseOwnerUrl?: string;
  readonly databaseDirectUrl?: string;
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
}

/** What a variable's schema says beyond its type: for the error message, and whether its value may be shown there. */
interface Notes {
  readonly expects: string;
  readonly secret?: true;
  readonly requiredInProduction?: true;
}

const postgresUrl = "^postgres(ql)?://.+";

export const variables = {
  PORT: Type.Integer({ minimum: 1, maximum: 65_535, default: 4000, expects: "a port number from 1 to 65535" }),
  HOST: Type.String({ default: "127.0.0.1", expects: "the address to listen on, such as 0.0.0.0 for all" }),
  PUBLIC_URL: Type.Optional(
    Type.String({ pattern: "^https?://[^/?#]+$", expects: "an http or https address without a path" }),
  ),
  TRUST_PROXY: Type.String({
    pattern: "^(false|[1-9][0-9]?|[0-9a-fA-F.:/, ]*[.:][0-9a-fA-F.:/, ]*)$",
    default: "false",
    expects: "false, the number of proxies in front, or their addresses separated by commas",
  }),
  JARA_HOME: Type.String({ default: ".jara", expects: "a folder" }),
  JARA_BACKUP_FOLDER: Type.Optional(Type.String({ expects: "a folder, on another disk" })),
  DATABASE_URL: Type.Optional(
    Type.String({ pattern: postgresUrl, expects: "a postgres:// address", secret: true, requiredInProduction: true }),
  ),
  DATABASE_OWNER_URL: Type.Optional(
    Type.String({ pattern: postgresUrl, expects: "a postgres:// address", secret: true }),
  ),
  DATABASE_DIRECT_URL: Type.Optional(
    Type.String({ pattern: postgresUrl, expects: "a postgres:// address", secret: true }),
  ),
  JARA_PREPARED_STATEMENTS: Type.Optional(Type.Boolean({ expects: "true or false" })),
  JARA_POOL_SIZE: Type.Integer({ minimum: 2, maximum: 1000, default: 20, expects: "2 to 1000 connections" }),
  JARA_RATE_LIMIT: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 100,
    expects: "requests per second and key, from 0 (no limit) to 1000000",
  }),
  JARA_REQUEST_LOG_DAYS: Type.Integer({
    minimum: 0,
    maximum: 90,
    default: 7,
    expects: "days from 0 (no log of requests) to 90",
  }),
  JARA_DEMO: oneOf(["on", "off"], "on"),
  JARA_NUBAN_CHECK: oneOf(["warn", "refuse"], "warn"),
  JARA_WEBHOOK_ALLOWED_SUBNETS: Type.String({
    default: "",
    expects: "addresses or blocks of them separated by commas, such as 10.20.0.0/16,fd00:20::/32",
  }),
  JARA_SANDBOX_WEBHOOKS_TO_LOOPBACK: Type.Optional(Type.Boolean({ expects: "true or false" })),
  JARA_LENDER_NAME: lenderText("the name of the licensed lender"),
  JARA_LENDER_REGISTRATION: lenderText("the lender's registration, such as FCCPC/DML/0000"),
  JARA_LENDER_EMAIL: lenderText("the lender's e-mail address for complaints"),
  JARA_LENDER_PHONE: lenderText("the lender's telephone number for complaints"),
  JARA_LENDER_REGULATOR: Type.String({
    pattern: "^\\S.*[^\\s.]$",
    maxLength: 200,
    default: usualRegulator,
    expects: "the name and contacts of the regulator, at most 200 characters, without a full stop at the end",
  }),
  JARA_OPERATOR_TOKEN: Type.Optional(
    Type.String({
      pattern: "^op_[A-Za-z0-9_-]{20,200}$",
      expects: "op_ and at least 20 letters and digits",
      secret: true,
      requiredInProduction: true,
    }),
  ),
  JARA_METRICS_TOKEN: Type.Optional(
    Type.String({ pattern: "^[A-Za-z0-9_-]{20,200}$", expects: "at least 20 letters and digits", secret: true }),
  ),
  JARA_METRICS_PORT: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 65_535, expects: "a port number from 1 to 65535" }),
  ),
  JARA_MASTER_KEY: Type.Optional(
    Type.String({
      expects: "v1: and 32 random bytes in base64, such as v1:$(openssl rand -base64 32)",
      secret: true,
      requiredInProduction: true,
    }),
  ),
  JARA_ROLE: oneOf(["api", "worker", "all"], "all"),
  LOG_LEVEL: oneOf(["fatal", "error", "warn", "info", "debug", "trace", "silent"], "info"),
  JARA_OUTPUT: Type.Optional(
    Type.Unsafe<"friendly" | "json">(Type.Enum(["friendly", "json"], { expects: "friendly or json" })),
  ),
  NODE_ENV: oneOf(["development", "production", "test"], "development"),
  JARA_SHUTDOWN_GRACE: Type.Integer({
    minimum: 0,
    maximum: 600,
    default: 10,
    expects: "seconds from 0 to 600 for requests in flight to finish",
  }),
} satisfies TProperties;

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
    ...(values.DATABASE_URL === undefined ? {} : { databaseUrl: values.DATABASE_URL }),
    ...(values.DATABASE_OWNER_URL === undefined ? {} : { databaseOwnerUrl: values.DATABASE_OWNER_URL }),
    ...(values.DATABASE_DIRECT_URL === undefined ? {} : { databaseDirectUrl: values.DATABASE_DIRECT_URL }),
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
  };
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

function lenderText(expects: string) {
  return Type.Optional(Type.String({ pattern: "\\S", maxLength: 120, expects: `${expects}, at most 120 characters` }));
}

function oneOf<const Choices extends readonly string[]>(choices: Choices, standard: Choices[number]) {
  return Type.Unsafe<Choices[number]>(
    Type.Enum([...choices], { default: standard, expects: `one of ${choices.join(", ")}` }),
  );
}
