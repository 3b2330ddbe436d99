/** A chart's figures stand below it for everybody who does not see it. */
import { expect, test } from "vitest";
import { draw, shown } from "../../testing/draw.tsx";
import { cells } from "../testing/lists.ts";
import { TimeChart } from "./time-chart.tsx";

const days = ["2026-11-14T23:00:00.000Z", "2026-11-15T23:00:00.000Z"];
const chart = {
  about: "Of the main wallet, each day.",
  kind: "bars",
  by: "day",
  moments: days,
  series: [
    { label: "In", colour: "brand", values: [1_000.1, 0] },
    { label: "Out", colour: "info", values: [20, 1_234_567.89] },
  ],
} as const;
const heads = () => [...document.querySelectorAll("thead th")].map(({ textContent }) => textContent);

test("each day of Lagos has a row with its figures, to the kobo", async () => {
  await draw(<TimeChart {...chart} />);
  expect(heads()).toEqual(["Day", "In", "Out"]);
  expect(cells()).toEqual([
    ["15 Nov 2026", "₦1,000.10", "₦20.00"],
    ["16 Nov 2026", "₦0.00", "₦1,234,567.89"],
  ]);
});

test("an hour says its day as well: two midnights are two days", async () => {
  await draw(<TimeChart {...chart} by="hour" moments={["2026-11-15T22:00:00.000Z", "2026-11-15T23:00:00.000Z"]} />);
  expect(heads()[0]).toBe("Hour");
  expect(cells().map(([moment]) => moment)).toEqual(["15 Nov 2026 23:00:00", "16 Nov 2026 00:00:00"]);
});

test("what has no figure for a moment had none: zero, and not an empty cell", async () => {
  const [series] = chart.series;
  await draw(<TimeChart {...chart} series={[{ ...series, values: [5] }]} />);
  expect(cells().map((row) => row[1])).toEqual(["₦5.00", "₦0.00"]);
});

test("the picture is for the eye alone, and says in a sentence what it shows", async () => {
  await draw(<TimeChart {...chart} />);
  expect(document.querySelector("figcaption")?.textContent).toContain("Of the main wallet, each day.");
  expect(document.querySelector("figure > div")?.getAttribute("aria-hidden")).toBe("true");
});

test("each series is named beside its colour, so that nobody needs to tell colours apart by heart", async () => {
  await draw(<TimeChart {...chart} />);
  const legend = [...document.querySelectorAll("figcaption > span:last-child > span")];
  expect(legend.map(({ textContent }) => textContent)).toEqual(["In", "Out"]);
  expect(new Set(legend.map((each) => each.querySelector("span")?.className)).size).toBe(2);
});

test("a period without a moment has a table without rows", async () => {
  await draw(<TimeChart {...chart} moments={[]} series={[]} />);
  expect(cells()).toEqual([]);
  expect(shown()).toContain("As a table");
});
