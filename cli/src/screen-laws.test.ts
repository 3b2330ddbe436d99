/** The screen over random texts: nothing steers the terminal, nothing is lost, JSON stays JSON. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createScreen, cut, plain } from "./screen.ts";
import { isBad, moment, money, status, timeOfDay } from "./words.ts";

const esc = String.fromCharCode(27);

function paper(options: { json?: boolean; columns?: number; color?: boolean; isTTY?: boolean } = {}) {
  const written = { out: "", err: "" };
  const { columns, json = false, color = false, isTTY = true } = options;
  const writer = (name: "out" | "err") => ({
    isTTY,
    ...(columns === undefined ? {} : { columns }),
    write: (text: string) => {
      written[name] += text;
    },
  });
  return { written, screen: createScreen({ json, color, out: writer("out"), err: writer("err") }) };
}

const hostile = fc.oneof(
  fc.string(),
  fc
    .array(fc.constantFrom(esc, "[2J", "[31m", "\r", "\b", "\u0007", "\u009b", "a", "\n"), { maxLength: 12 })
    .map((parts) => parts.join("")),
);
/** What is left when colours and ends of lines are taken away. */
const steering = (text: string) => /[^\P{Cc}\n]/u.test(plain(text));

test("no text of a stranger moves the cursor, rings the bell or clears the screen", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const { written, screen } = paper();
      screen.line(text);
      screen.remark(text);
      screen.record({}, [["name", text]]);
      expect(steering(written.out)).toBe(false);
      expect(steering(written.err)).toBe(false);
    }),
    { numRuns: 300 },
  );
});

test("JSON is what was given, whatever stands in it, and parses again", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ name: hostile })), (values) => {
      const { written, screen } = paper({ json: true });
      screen.records(values, { head: ["NAME"], rows: [] }, "nothing");
      expect(JSON.parse(written.out)).toEqual(values);
      expect(written.err).toBe("");
    }),
  );
});

test("every cell of every row is on the screen, in a table or one below the other", () => {
  const cell = fc.stringMatching(/^[a-z0-9]{1,12}$/);
  const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(rows, fc.integer({ min: 5, max: 120 }), (given, columns) => {
      const { written, screen } = paper({ columns });
      screen.records(given, { head: ["ONE", "TWO", "THREE"], rows: given }, "nothing");
      expect(written.out.match(/[a-z0-9]+/g)).toEqual(given.flat());
    }),
  );
});

test("a table is never wider than the terminal that it was made for", () => {
  const cell = fc.stringMatching(/^[a-z0-9]{1,12}$/);
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 }), (rows) => {
      const { written, screen } = paper({ columns: 40 });
      screen.records(rows, { head: ["ONE", "TWO"], rows }, "nothing");
      for (const line of written.out.split("\n")) expect(line.length).toBeLessThanOrEqual(40);
    }),
  );
});

test("a line that is cut has room, shows its beginning, and says that there is more", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z ]{0,60}$/), fc.integer({ min: 2, max: 60 }), (text, room) => {
      const short = cut(text, room);
      expect(short.length).toBeLessThanOrEqual(room);
      expect(short).toBe(text.length <= room ? text : `${text.slice(0, room - 1)}…`);
    }),
  );
});

test("colour takes no room: a coloured text that fits keeps it, and one that does not loses it", () => {
  const red = `${esc}[31mfailed${esc}[39m`;
  expect(cut(red, 6)).toBe(red);
  expect(cut(red, 4)).toBe("fai…");
  expect(plain(red)).toBe("failed");
});

test.each([
  [{}, true],
  [{ json: true }, false],
  [{ isTTY: false }, false],
])("with %j what is under way is shown: %s, and never among the results", (options, isShown) => {
  const { written, screen } = paper(options);
  screen.progress("3 of 10");
  expect(written.err.includes("3 of 10")).toBe(isShown);
  expect(written.out).toBe("");
});

test("an empty field is left out, and labels stand below each other", () => {
  const { written, screen } = paper();
  screen.record({}, [
    ["id", "t-1"],
    ["reason", ""],
    ["reference", "r"],
  ]);
  expect(written.out).toBe("id         t-1\nreference  r\n");
});

test("money has both kobo, and text is not rounded through a number", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 22n }), (kobo) => {
      const text = `${kobo / 100n}.${String(kobo % 100n).padStart(2, "0")}`;
      expect(money(text).replaceAll(",", "")).toBe(text);
    }),
  );
  expect([money(null), money(undefined), money(0), money(1234.5)]).toEqual(["", "", "0.00", "1,234.50"]);
});

test.each([
  ["2026-11-17T12:00:00Z", "17 Nov, 13:00:00"],
  ["2026-12-31T23:00:00Z", "01 Jan 2027, 00:00:00"],
  ["2025-12-31T22:59:59Z", "31 Dec 2025, 23:59:59"],
  ["", ""],
  [null, ""],
  [undefined, ""],
])("%s is told in this year as %j", (iso, told) => {
  expect(moment(iso, new Date("2026-11-17T12:00:00Z"))).toBe(told);
});

test("the time of day is that of Lagos", () => {
  expect(timeOfDay("2026-06-30T23:30:05Z")).toBe("00:30:05");
});

test.each([
  ["completed", "green"],
  ["failed", "red"],
  ["processing", "yellow"],
  ["something_new", "yellow"],
])("the state %s is %s", (word, colour) => {
  const { screen } = paper({ color: true });
  expect(status(screen, word)).toBe(screen.colors[colour as "green" | "red" | "yellow"](word));
  expect(isBad(word)).toBe(colour === "red");
});
