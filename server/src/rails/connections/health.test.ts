import { expect, test } from "vitest";
import { createCallHealth } from "./health.ts";

function timed() {
  let now = 0;
  const health = createCallHealth(() => now);
  return {
    health,
    wait: (ms: number) => {
      now += ms;
    },
    call: (answers: string) => {
      for (const answer of answers) health.record("c", answer === "+");
    },
  };
}

test("a connection that nobody has used yet is well", () => {
  expect(timed().health.of("c")).toEqual({ state: "ok", calls: 0, unanswered: 0 });
});

test.each([
  ["-----", "ok", "five calls say too little"],
  ["------", "failing", "nobody answers"],
  ["+++---", "failing", "half of the calls get no answer"],
  ["++++---", "ok", "most calls get an answer"],
  ["------++++++++", "ok", "it answers again"],
])("after %s it is %s: %s", (answers, state) => {
  const { health, call } = timed();
  call(answers);
  expect(health.of("c").state).toBe(state);
});

test("a failing connection is tried again after a minute, and one more silence closes it again", () => {
  const { health, call, wait } = timed();
  call("------");
  wait(59_999);
  expect(health.of("c").state).toBe("failing");
  wait(1);
  expect(health.of("c").state).toBe("ok");
  call("-");
  expect(health.of("c").state).toBe("failing");
});

test("only the last twenty calls count, and each connection has its own", () => {
  const { health, call } = timed();
  call("-".repeat(30));
  call("+".repeat(11));
  expect(health.of("c")).toEqual({ state: "ok", calls: 20, unanswered: 9 });
  expect(health.of("d").calls).toBe(0);
});
