import { expect, test } from "vitest";
import {
  asConnectionLost,
  isConnectionBroken,
  isConnectionLost,
  isLoginRefused,
  isTransient,
  retryRepeatable,
  retryTransient,
} from "./retry-transient.ts";

const withCode = (code: string) => Object.assign(new Error(code), { code });
const shut = Object.assign(new Error('database "jara" is not currently accepting connections'), { code: "55000" });
const fromPooler = (message: string) => Object.assign(new Error(message), { code: "08P01" });

test.each([
  { error: withCode("40001"), transient: true, broken: false, lost: false },
  { error: withCode("40P01"), transient: true, broken: false, lost: false },
  { error: withCode("23505"), transient: false, broken: false, lost: false },
  { error: withCode("57P01"), transient: false, broken: true, lost: true },
  { error: withCode("ECONNRESET"), transient: false, broken: true, lost: true },
  { error: withCode("ECONNREFUSED"), transient: false, broken: false, lost: true },
  { error: withCode("53300"), transient: false, broken: false, lost: true },
  { error: withCode("53100"), transient: false, broken: false, lost: true },
  { error: withCode("25006"), transient: false, broken: false, lost: true },
  { error: withCode("EMFILE"), transient: false, broken: false, lost: true },
  { error: withCode("28P01"), transient: false, broken: false, lost: true },
  { error: withCode("28000"), transient: false, broken: false, lost: true },
  { error: withCode("3D000"), transient: false, broken: false, lost: true },
  { error: withCode("57P04"), transient: false, broken: false, lost: true },
  { error: withCode("55000"), transient: false, broken: false, lost: false },
  { error: shut, transient: false, broken: false, lost: true },
  { error: fromPooler("server conn crashed?"), transient: false, broken: true, lost: true },
  { error: fromPooler("query_wait_timeout"), transient: false, broken: false, lost: true },
  { error: new Error("Connection terminated unexpectedly"), transient: false, broken: true, lost: true },
  { error: new Error("Connection terminated due to connection timeout"), transient: false, broken: false, lost: true },
  { error: new Error("timeout exceeded when trying to connect"), transient: false, broken: false, lost: true },
  { error: new Error("something else"), transient: false, broken: false, lost: false },
  { error: "a thrown word", transient: false, broken: false, lost: false },
  { error: null, transient: false, broken: false, lost: false },
])("$error: transient $transient, broken in use $broken, away $lost", ({ error, transient, broken, lost }) => {
  expect([isTransient(error), isConnectionBroken(error), isConnectionLost(error)]).toEqual([transient, broken, lost]);
});

test("a refused login is told from a database that may come back by itself", () => {
  expect([shut, withCode("28P01"), withCode("57P03"), new Error("no code")].map(isLoginRefused)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("whatever kept us from a connection is a lost connection, with its cause", () => {
  const readTimeout = new Error("Query read timeout");
  const named = asConnectionLost(readTimeout);
  expect([isConnectionLost(named), isConnectionBroken(named), named.cause]).toEqual([true, false, readTimeout]);
  expect(named.message).toContain("Query read timeout");
  const known = withCode("53100");
  expect(asConnectionLost(known)).toBe(known);
  expect(isConnectionLost(asConnectionLost("a thrown word"))).toBe(true);
});

function failing(times: number, code: string) {
  const calls = { count: 0 };
  const work = async () => {
    calls.count += 1;
    if (calls.count <= times) throw withCode(code);
    return "done";
  };
  return { calls, work };
}

test("work that fails for a moment is done in the end", async () => {
  const { calls, work } = failing(3, "40001");
  expect(await retryTransient(work)).toBe("done");
  expect(calls.count).toBe(4);
});

test("tries are bounded", async () => {
  const { calls, work } = failing(99, "40P01");
  await expect(retryTransient(work)).rejects.toMatchObject({ code: "40P01" });
  expect(calls.count).toBe(4);
});

test("what trying again cannot mend is not tried again", async () => {
  const { calls, work } = failing(99, "23505");
  await expect(retryTransient(work)).rejects.toMatchObject({ code: "23505" });
  expect(calls.count).toBe(1);
});

test("a broken connection is tried again for repeatable work only", async () => {
  const once = failing(1, "57P01");
  await expect(retryTransient(once.work)).rejects.toMatchObject({ code: "57P01" });
  const repeatable = failing(1, "57P01");
  expect(await retryRepeatable(repeatable.work)).toBe("done");
});
