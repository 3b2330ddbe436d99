import { describe, expect, test } from "vitest";
import {
  askCells,
  attachCells,
  byCell,
  cellFor,
  cellNames,
  everyCell,
  findInCells,
  gatherCells,
  presentCells,
  requireEveryCell,
} from "./cells.ts";

interface Place {
  readonly name: string;
}

/** Home and two cells: `e-abuja` lives in abuja, `e-kano` in kano, `e-jos` in one that nobody was told of. */
function house(absent: readonly string[] = []) {
  const [home, abuja, kano]: Place[] = [{ name: "home" }, { name: "abuja" }, { name: "kano" }];
  if (home === undefined || abuja === undefined || kano === undefined) throw new Error("a place is missing");
  const known = new Map([abuja, kano].filter(({ name }) => !absent.includes(name)).map((place) => [place.name, place]));
  const directory = new Map([
    ["e-abuja", "abuja"],
    ["e-kano", "kano"],
    ["e-jos", "jos"],
  ]);
  attachCells(home, known, { cellOf: (id) => directory.get(id), absent: () => absent });
  return { home, abuja, kano };
}

describe("without cells", () => {
  const alone: Place = { name: "alone" };

  test("everything returns what it was given", async () => {
    expect(cellFor(alone, "e-1")).toBe(alone);
    expect(everyCell(alone)).toEqual([alone]);
    expect(cellNames(alone)).toEqual([]);
    expect(() => requireEveryCell(alone)).not.toThrow();
    expect(await gatherCells(alone, async ({ name }) => [name])).toEqual(["alone"]);
    expect(
      await findInCells(
        alone,
        async () => "found",
        () => "e-1",
      ),
    ).toBe("found");
  });
});

describe("an environment", () => {
  test("is led to the cell where it lives, and home is where the directory says nothing", () => {
    const { home, abuja, kano } = house();
    expect(cellFor(home, "e-abuja")).toBe(abuja);
    expect(cellFor(home, "e-kano")).toBe(kano);
    expect(cellFor(home, "e-other")).toBe(home);
  });

  test("of a cell that is away gets 503, in words that do not name the cell", () => {
    const { home } = house(["kano"]);
    expect(() => cellFor(home, "e-kano")).toThrow(
      expect.objectContaining({
        code: "unavailable",
        message: expect.not.stringContaining("kano"),
        headers: { "Retry-After": "10" },
      }),
    );
    expect(cellFor(home, "e-abuja").name).toBe("abuja");
  });

  test("of a cell that this process was not told of gets 503, and the log says what to set", () => {
    const { home } = house();
    expect(() => cellFor(home, "e-jos")).toThrow(
      expect.objectContaining({
        code: "unavailable",
        cause: expect.objectContaining({ message: expect.stringContaining("JARA_CELLS must name it") }),
      }),
    );
  });
});

describe("a caller that looks across all tenants", () => {
  test("asks every cell, and puts together what they say", async () => {
    const { home } = house();
    expect(await gatherCells(home, async ({ name }) => [name, `${name}-2`])).toEqual([
      "home",
      "home-2",
      "abuja",
      "abuja-2",
      "kano",
      "kano-2",
    ]);
  });

  test("is told which cells could not be asked, and what the others say", async () => {
    const { home } = house(["kano"]);
    const said = await askCells(home, async ({ name }, cells) => `${name} of ${cells}`);
    expect(said).toEqual({ found: ["home of 2", "abuja of 2"], missing: ["kano"] });
    const lost = Object.assign(new Error("gone"), { code: "ECONNREFUSED" });
    const without = await askCells(home, async ({ name }) => (name === "abuja" ? Promise.reject(lost) : name));
    expect(without).toEqual({ found: ["home"], missing: ["abuja", "kano"] });
    expect(await gatherCells(home, async ({ name }) => [name])).toEqual(["home", "abuja"]);
  });

  test("hears of home's trouble, and of a cell's that is not about reaching it", async () => {
    const { home } = house();
    const lost = Object.assign(new Error("gone"), { code: "ECONNREFUSED" });
    await expect(askCells(home, async ({ name }) => (name === "home" ? Promise.reject(lost) : 1))).rejects.toBe(lost);
    const bug = new Error("a bug");
    await expect(askCells(home, async ({ name }) => (name === "kano" ? Promise.reject(bug) : 1))).rejects.toBe(bug);
  });

  test("is refused while a cell is away, where a reply without it would be wrong", () => {
    const { home, abuja } = house(["kano"]);
    expect(() => requireEveryCell(home)).toThrow(expect.objectContaining({ code: "unavailable" }));
    expect(() => everyCell(home)).toThrow(expect.objectContaining({ code: "unavailable" }));
    expect(presentCells(home)).toEqual([home, abuja]);
    expect(cellNames(home)).toEqual(["abuja", "kano"]);
  });

  test("has items by where their environments live", () => {
    const { home, abuja, kano } = house();
    const items = ["e-abuja", "e-1", "e-kano", "e-2"];
    expect(byCell(home, items, (item) => item)).toEqual(
      new Map([
        [abuja, ["e-abuja"]],
        [home, ["e-1", "e-2"]],
        [kano, ["e-kano"]],
      ]),
    );
  });
});

describe("something that one cell has", () => {
  interface Found {
    readonly environmentId: string;
    readonly in: string;
  }
  /** Asks places that have this, each in its own time. */
  const asking =
    (rows: Readonly<Record<string, Found | "broken" | undefined>>) =>
    async ({ name }: Place): Promise<Found | undefined> => {
      const row = rows[name];
      if (row === "broken") throw new Error(`${name} broke`);
      return row;
    };
  const at = (place: string, environmentId = "e-kano"): Found => ({ environmentId, in: place });
  const find = (home: Place, rows: Parameters<typeof asking>[0]) =>
    findInCells(home, asking(rows), ({ environmentId }) => environmentId);

  test("is found wherever it lives", async () => {
    const { home } = house();
    expect(await find(home, { kano: at("kano") })).toEqual(at("kano"));
    expect(await find(home, { home: at("home", "e-1") })).toEqual(at("home", "e-1"));
    expect(await find(home, {})).toBeUndefined();
  });

  test("is taken from where it lives, not from the place that it moved away from", async () => {
    const { home } = house();
    expect(await find(home, { home: at("home"), abuja: at("abuja"), kano: at("kano") })).toEqual(at("kano"));
  });

  test("is taken from a copy while it moves and that is all there is", async () => {
    expect(await find(house().home, { abuja: at("abuja") })).toEqual(at("abuja"));
  });

  test("is found although another cell cannot be asked", async () => {
    const { home } = house();
    expect(await find(home, { abuja: "broken", kano: at("kano") })).toEqual(at("kano"));
  });

  test("is not said to be nowhere when a cell could not be asked", async () => {
    await expect(find(house().home, { abuja: "broken" })).rejects.toThrow("abuja broke");
    await expect(find(house(["kano"]).home, {})).rejects.toMatchObject({ code: "unavailable" });
  });

  test("is found while a cell is away that does not have it", async () => {
    const { home } = house(["kano"]);
    expect(await find(home, { abuja: at("abuja", "e-abuja") })).toEqual(at("abuja", "e-abuja"));
  });
});
