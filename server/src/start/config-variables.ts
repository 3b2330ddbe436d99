/** Every environment variable: what it may be, what it is when it is not set, and what to say when it is wrong. */
import Type, { type TProperties } from "typebox";
import { usualRegulator } from "../checkout/loans/lender.ts";
import { tracingVariables } from "./tracing-settings.ts";
import { oneOf } from "./variable-kinds.ts";

/** What a variable's schema says beyond its type: for the error message, and whether its value may be shown there. */
export interface Notes {
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
  JARA_ARCHIVE_FOLDER: Type.Optional(Type.String({ expects: "a folder, which is backed up" })),
  JARA_EVENTS_LIVE_DAYS: eventDays(400),
  JARA_EVENTS_SANDBOX_DAYS: eventDays(90),
  DATABASE_URL: Type.Optional(
    Type.String({ pattern: postgresUrl, expects: "a postgres:// address", secret: true, requiredInProduction: true }),
  ),
  DATABASE_OWNER_URL: Type.Optional(
    Type.String({ pattern: postgresUrl, expects: "a postgres:// address", secret: true }),
  ),
  DATABASE_DIRECT_URL: Type.Optional(
    Type.String({ pattern: postgresUrl, expects: "a postgres:// address", secret: true }),
  ),
  JARA_REPLICA_URLS: Type.String({
    pattern: "^(postgres(ql)?://[^,;\\s]+(, *postgres(ql)?://[^,;\\s]+)*)?$",
    default: "",
    expects: "postgres:// addresses of standbys separated by commas",
    secret: true,
  }),
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
  ...tracingVariables,
} satisfies TProperties;

function eventDays(usual: number) {
  const expects = "days from 30 to 36500, or 0 (events stay online for ever)";
  return Type.Integer({ anyOf: [{ const: 0 }, { minimum: 30, maximum: 36_500 }], default: usual, expects });
}

function lenderText(expects: string) {
  return Type.Optional(Type.String({ pattern: "\\S", maxLength: 120, expects: `${expects}, at most 120 characters` }));
}
