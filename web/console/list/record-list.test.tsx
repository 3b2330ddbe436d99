import { afterEach, expect, test, vi } from "vitest";
import { button, field, press, settle, shown, type } from "../../testing/draw.tsx";
import { type Asked, brokenLine, held, refuse, replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { savedFiles } from "../testing/lists.ts";
import type { ListDescription } from "./description.ts";
import { RecordList } from "./record-list.tsx";

afterEach(() => vi.restoreAllMocks());

interface Row {
  readonly id: string;
  readonly name: string;
}

const list: ListDescription<Row> = {
  name: "things",
  path: "/things",
  rowKey: ({ id }) => id,
  rowPath: ({ id }) => `/things/${id}`,
  filters: [
    { kind: "choice", name: "status", label: "Status", options: ["pending", "written_off"] },
    { kind: "text", name: "reference", label: "Reference" },
    { kind: "amount", name: "minAmount", label: "From" },
    { kind: "day", name: "from", label: "Since" },
  ],
  columns: [
    { title: "Name", cell: ({ name }) => name },
    { title: "Id", cell: ({ id }) => id, right: true },
  ],
  csv: [["Name", ({ name }) => name]],
  fixed: { kind: "things" },
  empty: { title: "No thing yet", text: "Make one.", command: "jara things create" },
};

/** Reads page by page, as the API does. */
function pages(rows: readonly Row[]) {
  return ({ path }: Asked) => {
    const query = new URLSearchParams(path.split("?")[1]);
    const [page, limit] = [Number(query.get("page")), Number(query.get("limit"))];
    const end = page * limit;
    const pagination = { currentPage: page, totalItems: rows.length, hasNextPage: end < rows.length };
    return Response.json({ data: rows.slice(end - limit, end), pagination });
  };
}
const rows = (count: number): Row[] => Array.from({ length: count }, (_, at) => ({ id: `r${at}`, name: `Row ${at}` }));
const things = (reply: (asked: Asked) => unknown) => ({ [`GET ${door}/things`]: reply });
const wide = (isWide: boolean) =>
  vi
    .spyOn(window, "matchMedia")
    .mockImplementation(
      () => ({ matches: isWide, addEventListener: () => undefined, removeEventListener: () => undefined }) as never,
    );

test("while the first page is on its way it says so", async () => {
  const { reply, give } = held();
  replyWith(things(() => reply));
  await drawInConsole(<RecordList list={list} />);
  expect(document.querySelector("[role=status]")?.textContent).toBe("Loading");
  await settle(() => give([]));
  await expect.poll(shown).toContain("No thing yet");
});

test("an empty list teaches how to make the first record, a filtered one to widen the filter", async () => {
  replyWith(things(pages([])));
  await drawInConsole(<RecordList list={list} />);
  expect(shown()).toContain("jara things create");
  await press("Filter");
  await type("Since", "2026-11-01");
  await expect.poll(shown).toContain("No results");
  expect(shown()).not.toContain("jara things create");
});

test("a list that cannot be read says why, and reads again when asked", async () => {
  let broken = true;
  replyWith(things((asked) => (broken ? refuse(403, "forbidden", { message: "Not yours." }) : pages(rows(1))(asked))));
  await drawInConsole(<RecordList list={list} />);
  expect(document.querySelector("[role=alert]")?.textContent).toContain("Not yours.");
  broken = false;
  await press("Try again");
  await expect.poll(shown).toContain("Row 0");
});

test.each([
  [true, "th"],
  [false, "li dt"],
])("a row has its titles beside it (room for a table: %s)", async (isWide, titles) => {
  wide(isWide);
  replyWith(things(pages(rows(1))));
  await drawInConsole(<RecordList list={list} />);
  expect(document.querySelectorAll(titles)[isWide ? 1 : 0]?.textContent).toBe("Id");
  expect(button("Row 0").getAttribute("href")).toBe("/env-1/things/r0");
  expect(shown()).toContain("1 in all");
});

test("names of strangers are text, however they look", async () => {
  const hostile = ["<img src=x onerror=alert(1)>", "\u202Eevil\u202C", "W".repeat(5_000)];
  replyWith(things(pages(hostile.map((name, at) => ({ id: `h${at}`, name })))));
  await drawInConsole(<RecordList list={list} />);
  for (const name of hostile) expect(shown()).toContain(name);
  expect(document.querySelector("img")).toBeNull();
});

test("of many rows only those in view are drawn", async () => {
  wide(true);
  const asked = replyWith(things(pages(rows(100_000))));
  await drawInConsole(<RecordList list={list} />);
  expect(document.querySelector("table")?.getAttribute("aria-rowcount")).toBe("100000");
  expect(document.querySelectorAll("[data-row]").length).toBeLessThan(60);
  expect(asked.length).toBeLessThan(4);
});

test("filters stand in the address, and go to the API with what is fixed", async () => {
  const asked = replyWith(things(pages([])));
  const place = await drawInConsole(<RecordList list={list} />, { address: "/here?status=pending&stranger=1" });
  await press("Filter");
  expect((field("Status") as HTMLSelectElement).value).toBe("pending");
  expect(asked.at(-1)?.path).toBe(`${door}/things?kind=things&status=pending&page=1&limit=50`);
  await type("Status", "written_off");
  await expect.poll(place).toBe("/here?status=written_off");
  await press("Clear");
  await expect.poll(place).toBe("/here");
  expect((field("Status") as HTMLSelectElement).value).toBe("");
});

const submit = (label: string) =>
  settle(() => field(label).form?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true })));

test("words are searched on Enter, trimmed, and the focus stays in the field", async () => {
  replyWith(things(pages([])));
  const place = await drawInConsole(<RecordList list={list} />);
  field("Reference").focus();
  await type("Reference", "  order-7 ");
  expect(place()).toBe("/here");
  await submit("Reference");
  await expect.poll(place).toBe("/here?reference=order-7");
  await expect.poll(() => field("Reference").value).toBe("order-7");
  expect(document.activeElement).toBe(field("Reference"));
});

test("an amount is searched as the API takes it, and Clear empties its field", async () => {
  replyWith(things(pages([])));
  const place = await drawInConsole(<RecordList list={list} />);
  await press("Filter");
  await type("From", "₦1,500.50");
  await submit("From");
  await expect.poll(place).toMatch(/minAmount=.*1500\.5/);
  await press("Clear");
  await expect.poll(() => field("From").value).toBe("");
});

test("the file has every row that matches, page after page", async () => {
  const files = savedFiles();
  replyWith(things(pages(rows(150))));
  await drawInConsole(<RecordList list={list} />);
  await press("CSV");
  await expect.poll(() => files.size).toBe(1);
  const [text] = await Promise.all([...files.values()].map((read) => read()));
  expect(text?.trim().split("\r\n")).toHaveLength(151);
});

test("a file that could not be read says so on its button", async () => {
  let broken = false;
  replyWith(things((asked) => (broken ? brokenLine() : pages(rows(3))(asked))));
  await drawInConsole(<RecordList list={list} />);
  broken = true;
  await press("CSV");
  await expect.poll(shown).toContain("CSV failed, try again");
});

test("a press anywhere on a row opens it", async () => {
  wide(true);
  replyWith(things(pages(rows(2))));
  const place = await drawInConsole(<RecordList list={list} />);
  await settle(() => document.querySelectorAll<HTMLElement>("tbody td")[3]?.click());
  await expect.poll(place).toBe("/env-1/things/r1");
});
