/** Filters and rows of lists, where people leave the usual way. */
import { afterEach, expect, test, vi } from "vitest";
import { button, field, press, settle, shown, type } from "../../testing/draw.tsx";
import { refuse, replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { cells, pages, queryOf, screenIs } from "../testing/lists.ts";
import { chipText } from "./chip-text.ts";
import { chosen, type Filter, type ListDescription, linesOf } from "./description.ts";
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
  await press("Filter");
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
  await press("Filter");
  await expect.poll(() => (field("Bank") as HTMLSelectElement).options[1]?.text).toBe("GT<b>Bank");
  await open(rows(1), "/here", { [`GET ${door}/transfers/banks`]: () => refuse(503, "unavailable") });
  await settle(() => document.querySelectorAll<HTMLElement>("search [aria-expanded=false]").item(0).click());
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

const every: readonly Filter[] = [
  { kind: "text", name: "reference", label: "Reference" },
  { kind: "choice", name: "category", label: "Category", options: ["tv"] },
  { kind: "choices", name: "status", label: "Status", options: ["failed", "written_off"] },
  { kind: "bank", name: "bankCode", label: "Bank" },
  { kind: "amount", name: "minAmount", label: "At least" },
  { kind: "day", name: "from", label: "From" },
];

test("the search by reference is always there; other filters fold behind one button, which unfolds them", async () => {
  await open(rows(1), "/here", {}, { ...list, filters: every });
  expect(field("Reference")).toBeDefined();
  const labels = () => [...document.querySelectorAll("search label")].map((label) => label.textContent);
  expect(labels()).toEqual(["Reference"]);
  await press("Filter");
  expect(button("Filter").getAttribute("aria-expanded")).toBe("true");
  expect(labels()).toEqual(["Reference", "Category", "Status", "Bank", "At least", "From"]);
});

test("each filter that is set is a chip, in words, that takes it away", async () => {
  const address = "/here?category=tv&status=failed,written_off&bankCode=058&minAmount=2500&from=2026-11-01&reference=a";
  const { place } = await open(rows(1), address, {}, { ...list, filters: every });
  const chips = () => [...document.querySelectorAll("search button span.truncate")].map((chip) => chip.textContent);
  await expect
    .poll(chips)
    .toEqual([
      "Category: Tv",
      "Status: Failed, Written off",
      "Bank: GT<b>Bank",
      "At least: ₦2,500.00",
      "From: 1 Nov 2026",
    ]);
  await press("Category: Tv, remove this filter");
  await expect.poll(place).not.toContain("category");
  expect(place()).toContain("from=2026-11-01");
  await press("Clear");
  await expect.poll(place).toBe("/here");
  expect(chips()).toEqual([]);
});

test.each([
  ["day", "someday", "someday"],
  ["amount", "a lot", "a lot"],
  ["bank", "999", "999"],
] as const)("a %s that cannot be read stands on its chip as it is", (kind, value, text) => {
  expect(chipText({ kind, name: "it", label: "It" }, value, [])).toBe(`It: ${text}`);
});

const named = (title: string, more: object = {}) => ({ title, cell: () => title, ...more });
const titles = (columns: Parameters<typeof linesOf>[0]) => {
  const { lead, beside, below, last } = linesOf(columns);
  return [lead?.title, beside?.title, below.map(({ title }) => title).join(" "), last?.title];
};

test.each([
  [
    [named("Ref"), named("Amount", { right: true }), named("Status"), named("To"), named("At")],
    ["Ref", "Amount", "Status To", "At"],
  ],
  [
    [named("Ref"), named("Amount", { right: true }), named("Fee", { right: true }), named("At")],
    ["Ref", "Amount", "At", undefined],
  ],
  [
    [named("Name"), named("Identity"), named("Phone"), named("Since")],
    ["Name", "Since", "Identity Phone", undefined],
  ],
  [
    [named("When"), named("Name", { lead: true }), named("Id", { onPhone: false })],
    ["Name", "When", "", undefined],
  ],
])("on a phone the columns %# share two lines", (columns, expected) => {
  expect(titles(columns)).toEqual(expected);
});

test("on a phone a row that leads to a page has two lines, one that leads nowhere shows all", async () => {
  screenIs("narrow");
  await open(rows(1), "/here", {}, { ...list, rowPath: ({ id }) => `/things/${id}` });
  expect(document.querySelector("ul > li")?.children).toHaveLength(2);
  await open(rows(1));
  expect(document.querySelectorAll("ul > li dt.sr-only")).toHaveLength(1);
});
