import { describe, expect, test } from "vitest";
import { createScreen, type ScreenOptions } from "./screen.ts";

function createPaper(options: Partial<Omit<ScreenOptions, "out" | "err">> & { readonly columns?: number } = {}) {
  const written = { out: "", err: "" };
  const { columns, ...rest } = options;
  const out = {
    isTTY: true,
    ...(columns === undefined ? {} : { columns }),
    write: (text: string) => {
      written.out += text;
    },
  };
  const err = {
    write: (text: string) => {
      written.err += text;
    },
  };
  return { written, screen: createScreen({ color: false, ...rest, out, err }) };
}

const people = [{ name: "Ada" }, { name: "Chidi" }];
const columns = {
  head: ["NAME", "   NAIRA"],
  rows: [
    ["Ada", "1,500.00"],
    ["Chidi", "   20.00"],
  ],
};

describe("records", () => {
  test("stand in a table without lines", () => {
    const { screen, written } = createPaper({ columns: 80 });
    screen.records(people, columns, "");
    expect(written.out).toBe("NAME      NAIRA\nAda    1,500.00\nChidi     20.00\n");
  });

  test("stand one below the other where a table is too wide", () => {
    const { screen, written } = createPaper({ columns: 10 });
    screen.records(people, columns, "");
    expect(written.out).toBe("NAME   Ada\nNAIRA  1,500.00\n\nNAME   Chidi\nNAIRA  20.00\n");
  });

  test("are told about when there are none", () => {
    const { screen, written } = createPaper();
    screen.records([], { head: ["NAME"], rows: [] }, "Nobody yet.");
    expect(written.out).toBe("Nobody yet.\n");
  });

  test("are JSON for scripts, also when there are none", () => {
    const { screen, written } = createPaper({ json: true });
    screen.records([], { head: ["NAME"], rows: [] }, "Nobody yet.");
    expect(JSON.parse(written.out)).toEqual([]);
  });

  test("are as wide with colour as without", () => {
    const { screen, written } = createPaper({ color: true, columns: 17 });
    screen.records(
      people,
      { ...columns, rows: columns.rows.map(([a = "", b = ""]) => [screen.colors.green(a), b]) },
      "",
    );
    expect(written.out.split("\n")).toHaveLength(4);
  });
});

describe("a record", () => {
  test("leaves out what is empty", () => {
    const { screen, written } = createPaper();
    screen.record({}, [
      ["status", "failed"],
      ["token", ""],
      ["why", "No money."],
    ]);
    expect(written.out).toBe("status  failed\nwhy     No money.\n");
  });
});

test("remarks are no results", () => {
  const { screen, written } = createPaper({ json: true });
  screen.remark("Time moves …");
  expect(written).toEqual({ out: "", err: "Time moves …\n" });
});

test("what somebody typed into a record cannot steer the terminal, and colours stay", () => {
  const { screen, written } = createPaper({ columns: 80 });
  screen.line("a\u001b[31mred\u001b[39m\u001b[2Jb\u0007\tc");
  screen.remark("x\u009b2Jy");
  expect(written).toEqual({ out: "a\u001b[31mred\u001b[39m·[2Jb··c\n", err: "x·2Jy\n" });
  screen.records(people, { head: ["NAME"], rows: [["A\nB"]] }, "");
  expect(written.out).toContain("A B\n");
});
