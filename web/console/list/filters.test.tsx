/** Filters and rows of lists, where people leave the usual way. */
import { afterEach, expect, test, vi } from "vitest";
import { field, press, settle, shown, type } from "../../testing/draw.tsx";
import { refuse, replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { cells, pages, queryOf, screenIs } from "../testing/lists.ts";
import { chosen, type Filter, type ListDescription } from "./description.ts";
import { RecordList } from "./record-list.tsx";

afterEach(() => vi.restoreAllMocks());

interface Row {
  readonly id: string;
  readonly name: string;
}
const filters: readonly Filter[] = [
  { kind: "text", name: "reference", label: "Reference" },
  { kind: "amount", name: "minAmount", label: "At least" },
  { kind: "bank", name: "bankCode", label: "Bank" },
];
const list: ListDescription<Row> = {
  name: "things",
  path: "/things",
  rowKey: ({ id }) => id,
  filters,
  columns: [
    { title: "Name", cell: ({ name }) => name },
    { title: "Id", cell: ({ id }) => id },
  ],
  empty: { title: "No thing yet", text: "Make one." },
};
const rows = (count: number): Row[] => Array.from({ length: count }, (_, at) => ({ id: `r${at}`, name: `Row ${at}` }));

async function open(found: readonly Row[], address = "/here", replies: object = {}, of: ListDescription<Row> = list) {
  const asked = replyWith({
    [`GET ${door}/transfers/banks`]: () => [{ code: "058", name: "GT<b>Bank" }],
    [`GET ${door}/things`]: pages(found),
    ...replies,
  });
  const place = await drawInConsole(<RecordList list={of} />, { address });
  const things = () => asked.filter(({ path }) => path.startsWith(`${door}/things`)).map(queryOf);
  return { place, things };
}
const leaveField = (label: string) =>
  settle(() => field(label).dispatchEvent(new FocusEvent("focusout", { bubbles: true })));

test.each([
  [{}, {}],
  [{ reference: "a", stranger: "b" }, { reference: "a" }],
  [{ reference: "", minAmount: null, bankCode: undefined }, {}],
  [
    { reference: 7, minAmount: 0 },
    { reference: "7", minAmount: "0" },
  ],
  [{ __proto__: { reference: "x" } }, { reference: "x" }],
])("of the address %o the filters take %o", (search, taken) => {
  expect(chosen(filters, search)).toEqual(taken);
});

test("words are also searched when the field is left, and not when nothing was changed", async () => {
  const { place, things } = await open(rows(1));
  await leaveField("Reference");
  expect(things()).toHaveLength(1);
  await type("Reference", " order-7 ");
  await leaveField("Reference");
  await expect.poll(place).toBe("/here?reference=order-7");
});

test.each([
  ["₦2,500", "2500"],
  ["2500.5", "2500.5"],
  ["0", "0"],
  ["2500,50", "2500,50"],
])("an amount of %s is asked for as %s: what is none is left to the server", async (typed, asked) => {
  const { things } = await open(rows(1));
  await type("At least", typed);
  await leaveField("At least");
  await expect.poll(() => things().at(-1)?.["minAmount"]?.replaceAll('"', "")).toBe(asked);
});

test("an amount that the server refuses is told above the rows, and can be cleared", async () => {
  const { place } = await open([], "/here?minAmount=abc", {
    [`GET ${door}/things?minAmount`]: () => refuse(422, "validation_failed", { message: "minAmount is no amount." }),
  });
  expect(shown()).toContain("minAmount is no amount.");
  await press("Clear");
  await expect.poll(place).toBe("/here");
  await expect.poll(shown).toContain("No thing yet");
});

test("a bank's name is text; where the banks are away, all are still there to choose", async () => {
  await open(rows(1));
  await expect.poll(() => (field("Bank") as HTMLSelectElement).options[1]?.text).toBe("GT<b>Bank");
  await open(rows(1), "/here", { [`GET ${door}/transfers/banks`]: () => refuse(503, "unavailable") });
  expect([...document.querySelectorAll("option")].at(-1)?.text).toBe("All");
});

test("rows that lead nowhere are no links", async () => {
  screenIs("wide");
  await open(rows(2));
  expect(cells()).toEqual([
    ["Row 0", "r0"],
    ["Row 1", "r1"],
  ]);
  expect(document.querySelectorAll("tbody a")).toHaveLength(0);
});

test("on a phone each row is a card that says what each figure is", async () => {
  screenIs("narrow");
  await open(rows(1), "/here", {}, { ...list, rowPath: ({ id }) => `/things/${id}` });
  const card = document.querySelector("li");
  expect(card?.querySelector("a")?.getAttribute("href")).toBe("/env-1/things/r0");
  expect([...(card?.querySelectorAll("dt, dd") ?? [])].map((part) => part.textContent)).toEqual(["Id", "r0"]);
});

test("a list without a file offers none", async () => {
  await open(rows(1));
  expect(shown()).not.toContain("CSV");
  expect(shown()).toContain("1 in all");
});

test("a list without filters has no search", async () => {
  await open(rows(1), "/here?reference=x", {}, { ...list, filters: [] });
  expect(document.querySelector("search")).toBeNull();
  expect(shown()).toContain("Row 0");
});
