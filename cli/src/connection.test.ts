import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { connect } from "./connection.ts";
import { findHome, readDevServer } from "./home.ts";
import { connectOperator } from "./operator.ts";

const root = mkdtempSync(join(tmpdir(), "jara-cli-home-"));
afterAll(() => rmSync(root, { recursive: true }));
const clone = join(root, "clone");
const deep = join(clone, "app", "src");
mkdirSync(join(clone, ".jara"), { recursive: true });
mkdirSync(deep, { recursive: true });
const dev = { baseUrl: "http://localhost:4321", secretKey: `sk_test_${"D".repeat(36)}` };
writeFileSync(join(clone, ".jara", "dev.json"), JSON.stringify({ ...dev, operatorToken: "op_here" }));

const other = `sk_test_${"E".repeat(36)}`;
const around = (env: Readonly<Record<string, string>> = {}, directory = deep) => ({ env, directory });

describe("the home", () => {
  test("is the nearest .jara upwards", () => {
    expect(findHome(around())).toBe(join(clone, ".jara"));
  });

  test("is what JARA_HOME says, whatever is near", () => {
    expect(findHome(around({ JARA_HOME: "/elsewhere" }))).toBe("/elsewhere");
  });

  test("is in the home directory where there is none", () => {
    expect(findHome(around({}, root))).toBe(join(homedir(), ".jara"));
  });

  test("may know no server", () => {
    expect(readDevServer(root)).toBeUndefined();
  });
});

describe("server and key", () => {
  test("are those of npm start", () => {
    expect(connect({}, around())).toMatchObject({ ...dev, isLive: false });
  });

  test("come from variables before that, and from options before these", () => {
    const env = { JARA_SECRET_KEY: other, JARA_BASE_URL: "http://variable.example" };
    expect(connect({}, around(env))).toMatchObject({ secretKey: other, baseUrl: "http://variable.example" });
    const options = { key: dev.secretKey, baseUrl: "http://option.example" };
    expect(connect(options, around(env))).toMatchObject({ ...dev, baseUrl: "http://option.example" });
  });

  test.each([{ baseUrl: "http://option.example" }, { baseUrl: "https://localhost:4000" }, { baseUrl: "no address" }])(
    "of npm start go to no other server: %o",
    (options) => {
      expect(() => connect(options, around())).toThrow("There is no key for");
      expect(() => connectOperator(options, around())).toThrow("There is no operator token for");
    },
  );

  test("of npm start are found under every name of this machine", () => {
    const options = { baseUrl: dev.baseUrl.replace("localhost", "127.0.0.1") };
    expect(connect(options, around()).secretKey).toBe(dev.secretKey);
    expect(() => connectOperator(options, around())).not.toThrow();
  });

  test("a live key needs to be meant", () => {
    const key = `sk_live_${"F".repeat(36)}`;
    expect(() => connect({ key }, around())).toThrow("Add --live");
    expect(connect({ key, live: true }, around()).isLive).toBe(true);
  });

  test("no key is told", () => {
    expect(() => connect({}, around({ JARA_HOME: root }))).toThrow("There is no key");
  });
});
