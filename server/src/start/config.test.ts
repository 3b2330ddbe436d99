import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parseBlock } from "../platform/http/guard/address-blocks.ts";
import { ConfigError, type Environment, readConfig } from "./config.ts";
import { variables } from "./config-variables.ts";

const masterKey = `v1:${randomBytes(32).toString("base64")}`;
const productionSecrets = {
  NODE_ENV: "production",
  DATABASE_URL: "postgres://jara@db/jara",
  JARA_OPERATOR_TOKEN: "op_0123456789abcdefghij",
  JARA_MASTER_KEY: masterKey,
};

function complaintsAbout(environment: Environment): string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split("\n  ").slice(1);
  }
  return [];
}

describe("the configuration", () => {
  it("has a default for everything that development needs", () => {
    expect(readConfig({})).toEqual({
      port: 4000,
      host: "127.0.0.1",
      publicUrl: "http://localhost:4000",
      trustProxy: false,
      home: resolve(".jara"),
      replicaUrls: [],
      poolSize: 20,
      rateLimit: 100,
      requestLogDays: 7,
      demo: true,
      nubanCheck: "warn",
      webhookReach: { blocks: [], sandboxLoopback: true },
      role: "all",
      logLevel: "info",
      output: "friendly",
      production: false,
      shutdownGraceMs: 10_000,
    });
  });

  it("is frozen and takes an empty variable as not set", () => {
    const config = readConfig({ PORT: "", DATABASE_URL: "" });
    expect(Object.isFrozen(config)).toBe(true);
    expect(config.port).toBe(4000);
    expect(config.databaseUrl).toBeUndefined();
  });

  it("reads every variable", () => {
    const config = readConfig({
      ...productionSecrets,
      PORT: "80",
      HOST: "0.0.0.0",
      PUBLIC_URL: "https://pay.example.com",
      TRUST_PROXY: "10.0.0.0/8, 127.0.0.1",
      JARA_HOME: "/srv/jara",
      DATABASE_OWNER_URL: "postgresql://owner@db/jara",
      DATABASE_DIRECT_URL: "postgres://direct@db/jara",
      JARA_REPLICA_URLS: "postgres://reader@one/jara, postgresql://two/jara",
      JARA_PREPARED_STATEMENTS: "false",
      JARA_POOL_SIZE: "5",
      JARA_RATE_LIMIT: "0",
      JARA_REQUEST_LOG_DAYS: "0",
      JARA_ARCHIVE_FOLDER: "/srv/archive",
      JARA_EVENTS_LIVE_DAYS: "0",
      JARA_DEMO: "off",
      JARA_NUBAN_CHECK: "refuse",
      JARA_WEBHOOK_ALLOWED_SUBNETS: "10.20.0.0/16, fd00:20::/32",
      JARA_SANDBOX_WEBHOOKS_TO_LOOPBACK: "true",
      JARA_ROLE: "worker",
      LOG_LEVEL: "debug",
      JARA_OUTPUT: "friendly",
      JARA_SHUTDOWN_GRACE: "3",
    });
    expect(config).toEqual({
      port: 80,
      host: "0.0.0.0",
      publicUrl: "https://pay.example.com",
      trustProxy: "10.0.0.0/8, 127.0.0.1",
      home: "/srv/jara",
      databaseUrl: productionSecrets.DATABASE_URL,
      databaseOwnerUrl: "postgresql://owner@db/jara",
      databaseDirectUrl: "postgres://direct@db/jara",
      replicaUrls: ["postgres://reader@one/jara", "postgresql://two/jara"],
      preparedStatements: false,
      poolSize: 5,
      rateLimit: 0,
      requestLogDays: 0,
      archive: { folder: "/srv/archive", days: { LIVE: 0, SANDBOX: 90 } },
      demo: false,
      nubanCheck: "refuse",
      webhookReach: { blocks: [parseBlock("10.20.0.0/16"), parseBlock("fd00:20::/32")], sandboxLoopback: true },
      operatorToken: productionSecrets.JARA_OPERATOR_TOKEN,
      masterKey,
      role: "worker",
      logLevel: "debug",
      output: "friendly",
      production: true,
      shutdownGraceMs: 3000,
    });
  });

  it("speaks to a person on a laptop, to a machine in production, and as it is told", () => {
    expect(readConfig({}).output).toBe("friendly");
    expect(readConfig({ JARA_OUTPUT: "json" }).output).toBe("json");
    expect(readConfig({ ...productionSecrets }).output).toBe("json");
  });

  it("lets sandboxes' webhooks reach the machine itself on a laptop, and in production only on demand", () => {
    const loopback = (more: Record<string, string>) => readConfig(more).webhookReach.sandboxLoopback;
    expect(loopback({})).toBe(true);
    expect(loopback({ JARA_SANDBOX_WEBHOOKS_TO_LOOPBACK: "false" })).toBe(false);
    expect(loopback({ ...productionSecrets })).toBe(false);
    expect(loopback({ ...productionSecrets, JARA_SANDBOX_WEBHOOKS_TO_LOOPBACK: "true" })).toBe(true);
  });

  it.each([
    ["false", false],
    ["2", 2],
    ["::1", "::1"],
  ])("takes TRUST_PROXY=%s as %s", (text, value) => {
    expect(readConfig({ TRUST_PROXY: text }).trustProxy).toBe(value);
  });
});

describe("a bad value", () => {
  it.each([
    ["PORT", "abc"],
    ["PORT", "0"],
    ["PORT", "65536"],
    ["PORT", "4000x"],
    ["PORT", "1e3"],
    ["PORT", " 80"],
    ["PUBLIC_URL", "pay.example.com"],
    ["PUBLIC_URL", "https://pay.example.com/api"],
    ["TRUST_PROXY", "true"],
    ["JARA_PREPARED_STATEMENTS", "yes"],
    ["JARA_POOL_SIZE", "1"],
    ["JARA_METRICS_PORT", "0"],
    ["JARA_RATE_LIMIT", "-1"],
    ["JARA_REQUEST_LOG_DAYS", "91"],
    ["JARA_EVENTS_LIVE_DAYS", "29"],
    ["JARA_EVENTS_SANDBOX_DAYS", "for ever"],
    ["JARA_NUBAN_CHECK", "maybe"],
    ["JARA_WEBHOOK_ALLOWED_SUBNETS", "10.0.0.0/8,everywhere"],
    ["JARA_WEBHOOK_ALLOWED_SUBNETS", "10.0.0.0/33"],
    ["JARA_ROLE", "boss"],
    ["LOG_LEVEL", "loud"],
    ["NODE_ENV", "staging"],
    ["JARA_SHUTDOWN_GRACE", "soon"],
  ])("of %s is named with what it was (%s) and what it should be", (name, text) => {
    const complaints = complaintsAbout({ [name]: text });
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain(`${name} is ${JSON.stringify(text)}; it should be `);
    expect(complaints[0]).not.toContain("undefined");
  });

  it.each([
    ["DATABASE_URL", "mysql://user:hunter2@db"],
    ["DATABASE_OWNER_URL", "hunter2"],
    ["DATABASE_DIRECT_URL", "http://hunter2"],
    ["JARA_REPLICA_URLS", "postgres://one/jara; hunter2@two"],
    ["JARA_REPLICA_URLS", "postgres://one/jara, hunter2@two"],
    ["JARA_OPERATOR_TOKEN", "hunter2"],
    ["JARA_METRICS_TOKEN", "short-secret"],
    ["JARA_MASTER_KEY", "hunter2"],
    ["JARA_MASTER_KEY", "v1:aHVudGVyMg=="],
  ])("of the secret %s is not repeated", (name, text) => {
    const complaints = complaintsAbout({ [name]: text });
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toMatch(new RegExp(`^${name} is set, but wrong`));
    expect(complaints[0]).not.toMatch(/hunter2|aHVudGVyMg/);
  });

  it("is reported together with all the others", () => {
    const names = complaintsAbout({ PORT: "x", LOG_LEVEL: "y", JARA_ROLE: "z" }).map((line) => line.split(" ")[0]);
    expect(names).toEqual(["PORT", "JARA_ROLE", "LOG_LEVEL"]);
  });
});

describe("in production", () => {
  it.each(["DATABASE_URL", "JARA_OPERATOR_TOKEN", "JARA_MASTER_KEY"])("%s is required", (name) => {
    const complaints = complaintsAbout({ ...productionSecrets, [name]: undefined });
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain(`${name} is not set; in production it must be `);
  });
});

it(".env.example lists every variable with its default and no other", () => {
  const text = readFileSync(join(import.meta.dirname, "..", "..", "..", ".env.example"), "utf8");
  const listed = [...text.matchAll(/^# ([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
  const known = Object.entries(variables).map(([name, schema]) => [
    name,
    "default" in schema ? String(schema.default) : "",
  ]);
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(known));
  expect(listed).toHaveLength(known.length);
});
