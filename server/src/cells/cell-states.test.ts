import { pino } from "pino";
import { beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../platform/database/database.ts";
import { cellGauge, createCellStates } from "./cell-states.ts";
import { createDirectory, followCell } from "./follow-cells.ts";
import { missingCellsGauge } from "./missing-cells.ts";
import { firstNumbers } from "./session-numbers.ts";

let lines: { readonly level: number; readonly cell?: string; readonly msg: string }[];
beforeEach(() => {
  lines = [];
});
const log = pino({ level: "trace" }, { write: (line: string) => lines.push(JSON.parse(line)) });

describe("the numbers in sessions", () => {
  const names = ["abuja", "kano", "jos", "lagos-2", "enugu"];

  test("begin in a range of each cell's own, a billion from the next, and never in home's", () => {
    const first = [...firstNumbers(names).values()];
    expect(new Set(first).size).toBe(names.length);
    for (const number of first) {
      expect(number % 1_000_000_000n).toBe(0n);
      expect(number).toBeGreaterThanOrEqual(1_000_000_000n);
      // Twelve digits are all that a session has for them.
      expect(number + 999_999_999n).toBeLessThan(10n ** 12n);
    }
  });

  test("are the same in every process, whatever other cells there are", () => {
    const alone = firstNumbers(["kano"]).get("kano");
    expect(firstNumbers(names).get("kano")).toBe(alone);
    expect(firstNumbers(names.toReversed()).get("kano")).toBe(alone);
  });

  test("of two cells that would count alike are refused, with both names", () => {
    const many = Array.from({ length: 900 }, (_, place) => `cell-${place}`);
    expect(() => firstNumbers(many)).toThrow(/call one of the cells cell-\d+ and cell-\d+ otherwise/);
  });

  test("of no cells are none", () => {
    expect(firstNumbers([]).size).toBe(0);
  });
});

describe("whether a cell can be reached", () => {
  const read = (states: ReturnType<typeof createCellStates>) => cellGauge(states).read();

  test("is taken for granted at first, and shown by name", async () => {
    const states = createCellStates(["abuja", "kano"], log);
    expect(await read(states)).toEqual([
      { labels: { cell: "abuja" }, value: 1 },
      { labels: { cell: "kano" }, value: 1 },
    ]);
  });

  test("is said in the log when it changes, and not each time that somebody looks", () => {
    const states = createCellStates(["abuja", "kano"], log);
    states.note("abuja", true);
    expect(lines).toEqual([]);
    states.note("abuja", false, new Error("ECONNREFUSED"));
    states.note("abuja", false, new Error("ECONNREFUSED"));
    expect(lines.map(({ cell }) => cell)).toEqual(["abuja"]);
    states.note("abuja", true);
    expect(lines).toHaveLength(2);
    expect([states.isThere.get("abuja"), states.isThere.get("kano")]).toEqual([true, true]);
  });

  test("of one says nothing about the others", async () => {
    const states = createCellStates(["abuja", "kano"], log);
    states.note("kano", false);
    expect(await read(states)).toContainEqual({ labels: { cell: "abuja" }, value: 1 });
    expect(await read(states)).toContainEqual({ labels: { cell: "kano" }, value: 0 });
  });
});

describe("a cell that is followed", () => {
  const told: string[] = [];
  /** A pool that has all rows, or breaks. */
  const pool = (name: string, broken = false) => ({
    pool: {
      query: async (statement: string) => {
        told.push(`${name}: ${statement.slice(0, 6)}`);
        if (broken) throw new Error("ECONNREFUSED");
        return statement === "select" ? [] : [{}, { rows: [{}] }];
      },
    },
  });
  beforeEach(() => {
    told.length = 0;
  });

  test("is noted as away when it does not answer, and home is not troubled for it", async () => {
    const states = createCellStates(["abuja"], log);
    await followCell("abuja", pool("abuja", true), pool("home"), states);
    expect(states.isThere.get("abuja")).toBe(false);
    expect(told).toEqual(["abuja: select"]);
  });

  test("is noted as there again, and brought what it lacks", async () => {
    const states = createCellStates(["abuja"], log);
    states.note("abuja", false);
    await followCell("abuja", pool("abuja"), pool("home"), states);
    expect(states.isThere.get("abuja")).toBe(true);
    expect(told.some((line) => line.startsWith("home:"))).toBe(true);
  });
});

describe("the directory of a process", () => {
  test("knows nobody before it was read, so that everybody is looked for at home", () => {
    const directory = createDirectory();
    expect(directory.cellOf("e-1")).toBeUndefined();
    expect(directory.livingIn("abuja")).toEqual([]);
    expect(directory.absent()).toEqual([]);
  });

  test("tells which cells have not been reached", () => {
    expect(createDirectory(() => ["kano"]).absent()).toEqual(["kano"]);
  });

  test("keeps what it knew when home cannot be asked", async () => {
    const directory = createDirectory();
    const broken = {} as Database;
    await expect(directory.read(broken)).rejects.toThrow();
    expect(directory.cellOf("e-1")).toBeUndefined();
  });
});

test("cells that nobody was told of are counted for the operator", async () => {
  const gauge = missingCellsGauge(async () => ["jos", "yola"]);
  expect(gauge.name).toBe("jara_cells_missing");
  expect(await gauge.read()).toEqual([{ labels: {}, value: 2 }]);
});
