import fc from "fast-check";
import { uuidv7 } from "uuidv7";
import { describe, expect, test } from "vitest";
import { becauseOf, inBackground, isTask, nextOrigin, openCause } from "./cause.ts";
import { canBeUntil, earliestIdFrom, idBeyond, isUuid } from "./ids.ts";

describe("an id", () => {
  test.each([
    ["01932c61-2b3c-7d4e-8f50-617283940a5b", true],
    ["01932C61-2B3C-7D4E-8F50-617283940A5B", true],
    ["00000000-0000-0000-0000-000000000000", true],
    ["01932c61-2b3c-7d4e-8f50-617283940a5", false],
    ["01932c61-2b3c-7d4e-8f50-617283940a5bb", false],
    ["01932c612b3c7d4e8f50617283940a5b", false],
    ["{01932c61-2b3c-7d4e-8f50-617283940a5b}", false],
    [" 01932c61-2b3c-7d4e-8f50-617283940a5b", false],
    ["01932c61-2b3c-7d4e-8f50-617283940a5b\n", false],
    ["01932c61-2b3c-7d4e-8f50-617283940a5g", false],
    ["", false],
    ["'; drop table transfers; --", false],
  ])("%j is one: %s", (text, is) => {
    expect(isUuid(text)).toBe(is);
  });

  test("of now lies within the bounds of now, and outside of those of an hour away", () => {
    const id = uuidv7();
    const [now, hour] = [Date.now(), 3_600_000];
    expect(earliestIdFrom(new Date(now)) < id && id < idBeyond(new Date(now))).toBe(true);
    expect(earliestIdFrom(new Date(now + hour)) > id).toBe(true);
    expect(idBeyond(new Date(now - hour)) < id).toBe(true);
    expect(canBeUntil(id, new Date(now))).toBe(true);
    expect(canBeUntil(id.toUpperCase(), new Date(now))).toBe(true);
    expect(canBeUntil(id, new Date(now - hour))).toBe(false);
  });

  test("of another version can be of no moment", () => {
    expect(canBeUntil("01932c61-2b3c-4d4e-8f50-617283940a5b", new Date("2999-01-01"))).toBe(false);
  });

  test("has bounds that are ids themselves, rise with time, and hold for any date at all", () => {
    const moment = fc.date({ noInvalidDate: true });
    fc.assert(
      fc.property(moment, moment, (one, other) => {
        const [earlier, later] = one < other ? [one, other] : [other, one];
        for (const bound of [earliestIdFrom(one), idBeyond(one)]) expect(isUuid(bound)).toBe(true);
        expect(earliestIdFrom(earlier) <= earliestIdFrom(later)).toBe(true);
        expect(earliestIdFrom(one) <= idBeyond(one)).toBe(true);
      }),
    );
  });
});

describe("why a transaction happens", () => {
  test("is a request, unless something else is said", () => {
    expect(nextOrigin()).toEqual({ is: "request" });
    expect(isTask()).toBe(false);
  });

  test("is a task whose transactions draw from parts of its stream, one after another", async () => {
    const drawn = await becauseOf("s", async () => {
      const first = nextOrigin();
      await Promise.resolve();
      return [first, nextOrigin(), isTask()];
    });
    expect(drawn).toEqual([{ is: "task", stream: "s/1" }, { is: "task", stream: "s/2" }, true]);
    expect(isTask()).toBe(false);
  });

  test("is a part that no other piece of the same cause draws from", () => {
    const cause = openCause("s");
    expect(cause.run(nextOrigin)).toEqual({ is: "task", stream: "s/1" });
    expect(cause.nextPart()).toBe("s/2");
    expect(cause.run(nextOrigin)).toEqual({ is: "task", stream: "s/3" });
  });

  test("is a background loop, which draws from nobody's stream, also inside a task", () => {
    expect(inBackground(nextOrigin)).toEqual({ is: "background" });
    const [inside, after] = becauseOf("s", () => [inBackground(nextOrigin), nextOrigin()]);
    expect([inside, after]).toEqual([{ is: "background" }, { is: "task", stream: "s/1" }]);
    expect(inBackground(isTask)).toBe(false);
  });

  test("of two tasks at once is kept apart", async () => {
    const draw = async (stream: string) => {
      const one = nextOrigin();
      await new Promise(setImmediate);
      return [one, nextOrigin()].map((origin) => ("stream" in origin ? origin.stream : stream));
    };
    const both = await Promise.all([becauseOf("a", () => draw("a")), becauseOf("b", () => draw("b"))]);
    expect(both).toEqual([
      ["a/1", "a/2"],
      ["b/1", "b/2"],
    ]);
  });
});
