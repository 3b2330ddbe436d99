/** Every documented operation has one method, and every method calls the operation that it is meant for. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Jara } from "./index.ts";

const root = join(import.meta.dirname, "..", "..");
const document = JSON.parse(readFileSync(join(root, "docs", "openapi.json"), "utf8"));
const documented = Object.entries<Record<string, unknown>>(document.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
);

/** Methods that share an operation, or have none, and why. */
const alsoCall: Readonly<Record<string, string>> = {
  "sandbox.clock.startAdvance": "the same operation with Prefer: respond-async, which returns another record",
  "wallets.transactions.toCsv": "the same operation with Accept: text/csv, which returns text",
  "transfers.waitUntilFinal": "reads until the outcome is there",
  "transfers.bulk.waitUntilFinal": "reads until every outcome is there",
  "bills.waitUntilFinal": "reads until the outcome is there",
  "loans.bnpl.sessions.waitUntilFinal": "reads until the session has ended",
  "sandbox.checkoutSessions.play": "plays a customer, who calls several operations and no key",
  "events.follow": "reads the feed again and again",
  "webhooks.verify": "asks nobody",
};

/** Operations without a method, and why. */
const withoutMethod: Readonly<Record<string, string>> = {
  "GET /events/stream": "events.follow reads the same events through any fetch, also one that cannot stream",
};

/** Stands for any argument: as an id it is `x`, as a record it has no members. */
const anything = () => Object.defineProperty({}, "toString", { value: () => "x" });

function methodsOf(value: object, path: readonly string[] = []): [string, (...args: unknown[]) => unknown][] {
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === "function"
      ? [[[...path, name].join("."), member] as [string, (...args: unknown[]) => unknown]]
      : methodsOf(member, [...path, name]),
  );
}

const sent: { method: string; path: string }[] = [];
const jara = new Jara({
  secretKey: "sk_test_x",
  baseUrl: "http://jara.test",
  fetch: async (url, { method }) => {
    sent.push({ method, path: new URL(url).pathname });
    const body = JSON.stringify({ status: true, data: [], meta: {} });
    return { status: 200, headers: new Headers(), text: async () => body };
  },
});

async function operationOf(method: (...args: unknown[]) => unknown): Promise<string> {
  sent.length = 0;
  const made = method(anything(), anything(), anything());
  await (made instanceof Promise ? made : (made as { page(): Promise<unknown> }).page());
  const [{ method: verb = "", path = "" } = {}] = sent;
  const fits = (template: string) => new RegExp(`^${template.replace(/\{\w+\}/g, "x")}$`).test(`${verb} ${path}`);
  return documented.find(fits) ?? `${verb} ${path}`;
}

test("every operation has exactly one method, but for those that are listed", async () => {
  const methods = methodsOf(jara).filter(([name]) => !(name in alsoCall));
  const found: [string, string][] = [];
  for (const [name, method] of methods) found.push([await operationOf(method), name]);
  expect(found.map(([operation]) => operation).sort()).toEqual(
    documented.filter((name) => !(name in withoutMethod)).sort(),
  );
});

test("every listed exception exists", () => {
  const names = methodsOf(jara).map(([name]) => name);
  expect(Object.keys(alsoCall).filter((name) => !names.includes(name))).toEqual([]);
});

test("every documented event is in the union", () => {
  const types = readFileSync(join(root, "sdk", "src", "api.gen.ts"), "utf8");
  const [, body = ""] = /export interface EventData \{\n([\s\S]*?)\n\}/.exec(types) ?? [];
  const inUnion = [...body.matchAll(/^ {2}"([a-z.]+)": /gm)].map(([, name]) => name);
  const inDocument = Object.keys(document.webhooks);
  const text = readFileSync(join(root, "docs", "events.md"), "utf8");
  const forPeople = [...text.matchAll(/^\| \[`([a-z.]+)`\]/gm)].map(([, name]) => name);
  expect(inUnion.sort()).toEqual(inDocument.sort());
  expect(inUnion).toEqual(forPeople.sort());
});

test("the version that is sent is the package's", async () => {
  const { version } = JSON.parse(readFileSync(join(root, "sdk", "package.json"), "utf8"));
  const agents: (string | undefined)[] = [];
  const asking = new Jara({
    secretKey: "sk_test_x",
    fetch: async (_, { headers }) => {
      agents.push(headers["user-agent"]);
      return { status: 200, headers: new Headers(), text: async () => '{"status":true}' };
    },
  });
  await asking.transfers.listBanks();
  expect(agents).toEqual([`jara-sdk/${version}`]);
});
