import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSealer, generateMasterKey, parseMasterKeys } from "../../platform/secrets/crypto.ts";
import type { Connected, ConnectionCheck, ConnectionSettings, Provider } from "../provider.ts";
import { type Choice, choose } from "./choose-connection.ts";
import { lookAt, tryConnection, tryCredentials } from "./connect-provider.ts";
import type { Connection, ConnectionState } from "./connection.ts";
import { openCredentials, portsWith, readCredentials, sealCredentials } from "./credentials.ts";
import { createCallHealth, failingShare } from "./health.ts";

const sealer = createSealer(parseMasterKeys(generateMasterKey(1)));
const ok: ConnectionCheck = { name: "keys", result: "ok", message: "The keys are good." };
const warned: ConnectionCheck = { name: "banks", result: "warning", message: "One bank is not reached." };
const bad: ConnectionCheck = { name: "keys", result: "failed", message: "The keys are refused." };

/** A provider that says what it is told to, and notes what was opened and closed. */
function acme(check: () => Promise<readonly ConnectionCheck[]> = async () => [ok]) {
  const opened: ConnectionSettings[] = [];
  let closed = 0;
  const provider: Provider = {
    name: "acme",
    ports: ["bank", "card"],
    defaultBaseUrl: "https://api.acme.ng",
    testBaseUrl: "https://sandbox.acme.ng",
    credentials: [
      { name: "secretKey", secret: true, required: true, description: "From the dashboard." },
      { name: "account", secret: false, required: false, description: "If there are several." },
    ],
    connect(settings): Connected {
      opened.push(settings);
      return {
        check,
        close: async () => {
          closed += 1;
        },
      };
    },
  };
  return { provider, opened, closed: () => closed };
}

const wanted = (provider: Provider, changes: object = {}) => ({
  provider,
  name: "Acme, main",
  mode: "live" as const,
  credentials: { secretKey: "sk_live_1" },
  baseUrl: undefined,
  ports: undefined,
  ...changes,
});

describe("what an operator typed in", () => {
  const { provider } = acme();

  test("is taken as it is when nothing is missing", () => {
    const given = { secretKey: "sk_live_1", account: "7" };
    expect(readCredentials(provider, given, provider.ports)).toEqual(given);
    expect(readCredentials(provider, { secretKey: "sk_live_1" }, provider.ports)).toEqual({ secretKey: "sk_live_1" });
  });

  test.each<[string, Record<string, string>, { field: string; message: RegExp }[]]>([
    ["lacks a key", {}, [{ field: "credentials.secretKey", message: /^is required for acme: From the dashboard/ }]],
    ["has a blank after it", { secretKey: "sk " }, [{ field: "credentials.secretKey", message: /blank/ }]],
    ["has a new line before it", { secretKey: "\nsk" }, [{ field: "credentials.secretKey", message: /blank/ }]],
    [
      "has a field of another provider",
      { secretKey: "sk", apiKey: "x" },
      [{ field: "credentials.apiKey", message: /is no credential of acme/ }],
    ],
    [
      "is wrong in every way",
      { account: " 7", toString: "x" },
      [
        { field: "credentials.secretKey", message: /required/ },
        { field: "credentials.account", message: /blank/ },
        { field: "credentials.toString", message: /no credential/ },
      ],
    ],
  ])("is refused when it %s", (_, given, errors) => {
    expect(() => readCredentials(provider, given, provider.ports)).toThrow(
      expect.objectContaining({
        code: "validation_failed",
        errors: errors.map(({ field, message }) => ({ field, message: expect.stringMatching(message) })),
      }),
    );
  });

  test("has what its ports need, and is asked for no more", () => {
    const { ports } = provider;
    const picky: Provider = {
      ...provider,
      credentials: provider.credentials.map((field) =>
        field.name === "account" ? { ...field, neededFor: ["card"] } : field,
      ),
    };
    const given = { secretKey: "sk_live_1" };
    expect([portsWith(picky, given), portsWith(picky, { ...given, account: "7" })]).toEqual([["bank"], ports]);
    expect(readCredentials(picky, given, ["bank"])).toEqual(given);
    const message = "is required for card: If there are several.";
    expect(() => readCredentials(picky, given, ports)).toThrow(
      expect.objectContaining({ errors: [{ field: "credentials.account", message }] }),
    );
  });

  test("never stands in the refusal", () => {
    const told = (() => {
      try {
        readCredentials(provider, { secretKey: " sk_live_hush", other: "hush" }, provider.ports);
      } catch (error) {
        return JSON.stringify(error, Object.getOwnPropertyNames(error));
      }
      return "";
    })();
    expect(told).toContain("validation_failed");
    expect(told).not.toContain("hush");
  });
});

describe("sealed credentials", () => {
  const credentials = { secretKey: "sk_live_hush" };

  test("are opened again for their connection, and hold nothing that could be read", () => {
    const sealed = sealCredentials(sealer, "c1", credentials);
    expect(sealed.toString("latin1")).not.toContain("hush");
    expect(openCredentials(sealer, "c1", sealed)).toEqual(credentials);
  });

  test("of one connection open no other: a row that was copied over another is of no use", () => {
    const sealed = sealCredentials(sealer, "c1", credentials);
    expect(() => openCredentials(sealer, "c2", sealed)).toThrow();
    const stranger = createSealer(parseMasterKeys(generateMasterKey(1)));
    expect(() => openCredentials(stranger, "c1", sealed)).toThrow();
  });
});

describe("a provider that is being connected", () => {
  test("is asked before anything is kept, at its own address for the mode", async () => {
    const { provider, opened, closed } = acme();
    const connection = await tryConnection(sealer, wanted(provider));
    expect(connection).toMatchObject({
      provider: "acme",
      state: "active",
      hold: null,
      ports: ["bank", "card"],
      baseUrl: "https://api.acme.ng",
      checksPassed: true,
    });
    expect(opened).toEqual([
      {
        connectionId: connection.id,
        mode: "live",
        baseUrl: "https://api.acme.ng",
        credentials: { secretKey: "sk_live_1" },
      },
    ]);
    expect(closed()).toBe(1);
    expect((await tryConnection(sealer, wanted(provider, { mode: "test" }))).baseUrl).toBe("https://sandbox.acme.ng");
  });

  test("with a warning is connected, and the warning is kept", async () => {
    const { provider } = acme(async () => [ok, warned]);
    expect((await tryConnection(sealer, wanted(provider))).checks).toEqual([ok, warned]);
  });

  test.each<[string, () => Promise<readonly ConnectionCheck[]>]>([
    ["refuses the keys", async () => [ok, bad]],
    ["cannot be asked", () => Promise.reject(new Error("ECONNREFUSED"))],
  ])("that %s is not connected, and the line is closed", async (_, check) => {
    const { provider, closed } = acme(check);
    await expect(tryConnection(sealer, wanted(provider))).rejects.toMatchObject({ code: "connection_check_failed" });
    expect(closed()).toBe(1);
  });

  test.each([
    ["an address without TLS", { baseUrl: "http://api.acme.ng" }, "connection_address_refused"],
    ["an address with a password in it", { baseUrl: "https://a:b@api.acme.ng" }, "connection_address_refused"],
    ["a port that it does not have", { ports: ["biller"] }, "validation_failed"],
    ["no key", { credentials: {} }, "validation_failed"],
  ])("with %s is not even called", async (_, changes, code) => {
    const { provider, opened } = acme();
    await expect(tryConnection(sealer, wanted(provider, changes))).rejects.toMatchObject({ code });
    expect(opened).toEqual([]);
  });

  test("gets new keys only when they are good", async () => {
    const { provider } = acme();
    const connection = await tryConnection(sealer, wanted(provider));
    expect(await tryCredentials(provider, connection, { secretKey: "sk_live_2" })).toEqual({
      credentials: { secretKey: "sk_live_2" },
      looked: { checks: [ok], float: null },
    });
    const refusing = acme(async () => [bad]).provider;
    await expect(tryCredentials(refusing, connection, { secretKey: "x" })).rejects.toMatchObject({
      code: "connection_check_failed",
    });
  });

  test("has failed when its checks break, and tells nothing of how", async () => {
    const readFloat = async () => expect.unreachable("a provider that failed is asked no more");
    const { checks, float } = await lookAt({ check: () => Promise.reject(new Error("sk_live_hush")), readFloat });
    expect(checks).toEqual([{ name: "provider", result: "failed", message: "The provider could not be asked." }]);
    expect(float).toBeNull();
  });
});

describe("new work", () => {
  const connection = (id: string, changes: Partial<Connection>): Connection => ({
    id,
    provider: "acme",
    name: id,
    mode: "live",
    ports: ["bank"],
    baseUrl: "https://api.acme.ng",
    sealedCredentials: Buffer.alloc(0),
    state: "active",
    hold: null,
    checks: [],
    checksPassed: true,
    checkedAt: new Date(0),
    float: null,
    version: 1,
    createdAt: new Date(0),
    updatedAt: new Date(0),
    ...changes,
  });

  test("never goes to a connection that is closed in any way, in whatever order they stand", () => {
    const facts = fc.record({
      state: fc.constantFrom<ConnectionState>("active", "paused", "retired"),
      isHeld: fc.boolean(),
      checksPassed: fc.boolean(),
      serves: fc.boolean(),
      isWell: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(facts, { maxLength: 6 }), (list) => {
        const all = list.map(({ state, isHeld, checksPassed }, place) => {
          const hold = isHeld ? ({ reason: "float_empty", message: "m", since: new Date(0) } as const) : null;
          return connection(String(place), { state, hold, checksPassed });
        });
        const factsOf = ({ id }: Connection) => list[Number(id)];
        const choice: Choice = choose(
          all,
          (one) => factsOf(one)?.serves === true,
          (one) => factsOf(one)?.isWell === true,
        );
        const able = list.filter(({ state, serves }) => state !== "retired" && serves);
        const first = list.findIndex(
          ({ state, isHeld, checksPassed, serves, isWell }) =>
            state === "active" && !isHeld && checksPassed && serves && isWell,
        );
        if (able.length === 0) expect(choice).toBe("not_connected");
        else if (first < 0) expect(choice).toBe("closed");
        else expect(choice).toMatchObject({ connection: { id: String(first) } });
      }),
    );
  });

  test("passes a connection over only while at least half of its last calls got no answer", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }), (answers) => {
        const health = createCallHealth(() => 0);
        for (const answered of answers) health.record("c", answered);
        const last = answers.slice(-20);
        const unanswered = last.filter((answered) => !answered).length;
        expect(health.of("c")).toMatchObject({ calls: last.length, unanswered });
        if (unanswered < last.length * failingShare && answers.at(-1) === true) expect(health.of("c").state).toBe("ok");
        if (last.length < 6) expect(health.of("c").state).toBe("ok");
      }),
    );
  });
});
