import { afterEach, beforeEach, expect, test } from "vitest";
import { pressKey, settle } from "../testing/draw.tsx";
import { brokenLine, replyWith } from "../testing/replies.ts";
import { openSearch } from "./search.ts";

const records = [
  {
    url: "/docs/payouts",
    page: "Payouts",
    title: "Payouts",
    text: "Send money. The code insufficient_funds says why.",
  },
  { url: "/docs/payouts#fees", page: "Payouts", title: "Fees", text: "Each payout has a fee." },
  { url: "/docs/bills", page: "Bills", title: "Bills", text: `${"Long words. ".repeat(20)}A payout pays a bill.` },
  { url: "/docs/hostile", page: "<img src=x>", title: "<script>", text: "A zebra <b>bold</b>" },
];
const found = (reply: () => unknown) => ({ "GET /docs/search.json": reply });
const inJson = () => Response.json(records);

const part = <Kind extends HTMLElement>(selector: string): Kind => {
  const element = document.querySelector<Kind>(selector);
  if (element === null) throw new Error(`the page has no ${selector}`);
  return element;
};
const input = () => part<HTMLInputElement>("input");
const items = () => [...document.querySelectorAll("#found > *")];
const opened: string[] = [];

afterEach(() => document.body.replaceChildren());
beforeEach(() => {
  opened.length = 0;
  document.body.innerHTML = `
    <div class="search" hidden><input><div class="results" hidden><p class="hint"></p><div id="found"></div></div></div>
    <textarea></textarea>`;
  part("#found").addEventListener("click", (event) => {
    event.preventDefault();
    opened.push((event.target as HTMLAnchorElement).getAttribute("href") ?? "");
  });
});

async function look(words: string): Promise<void> {
  await settle(() => {
    input().value = words;
    input().dispatchEvent(new Event("input"));
  });
  if (words !== "") await expect.poll(() => part(".results").hidden).toBe(false);
}

test("finds by parts of a code, names page and section, and counts", async () => {
  replyWith(found(inJson));
  openSearch("/docs/search.json");
  expect(part(".search").hidden).toBe(false);
  await look("funds");
  expect(items().map((item) => item.querySelector("strong")?.textContent)).toEqual(["Payouts"]);
  await look("fee");
  expect(items()[0]?.querySelector("strong")?.textContent).toBe("Payouts › Fees");
  expect(part(".hint").textContent).toBe("1 found");
});

test("shows the words around what was found, not the beginning of a long page", async () => {
  replyWith(found(inJson));
  openSearch("/docs/search.json");
  await look("a bill");
  expect(items()[0]?.querySelector("span")?.textContent).toMatch(/^….*A payout pays a bill\.$/);
});

test("says when there is nothing, and shows text as text", async () => {
  replyWith(found(inJson));
  openSearch("/docs/search.json");
  await look("xylophone");
  expect(part(".hint").textContent).toBe("Nothing is found for “xylophone”.");
  await look("zebra");
  expect(items()[0]?.textContent).toContain("<img src=x> › <script>");
  expect(document.querySelector("#found img, #found b")).toBeNull();
});

test("arrows go round, Enter opens what is chosen, Escape closes", async () => {
  replyWith(found(inJson));
  openSearch("/docs/search.json");
  await look("payout");
  const last = items().length - 1;
  await pressKey("ArrowUp", input());
  expect(input().getAttribute("aria-activedescendant")).toBe(`found-${last - 1 < 0 ? 0 : last - 1}`);
  await pressKey("ArrowDown", input());
  expect(items().map((item) => item.getAttribute("aria-selected"))).toContain("true");
  await pressKey("Enter", input());
  expect(opened).toHaveLength(1);
  await pressKey("Escape", input());
  expect([part(".results").hidden, input().getAttribute("aria-expanded")]).toEqual([true, "false"]);
});

test("Enter opens nothing that is not to be seen", async () => {
  replyWith(found(inJson));
  openSearch("/docs/search.json");
  await look("payout");
  await pressKey("Escape", input());
  await pressKey("Enter", input());
  await look("payout");
  await look("");
  await pressKey("Enter", input());
  expect(opened).toEqual([]);
});

test("a choice does not outlive its list: after more letters Enter opens the first", async () => {
  replyWith(found(inJson));
  openSearch("/docs/search.json");
  await look("payout");
  await pressKey("ArrowDown", input());
  await pressKey("ArrowDown", input());
  await look("payouts");
  expect(input().hasAttribute("aria-activedescendant")).toBe(false);
  await pressKey("Enter", input());
  expect(opened).toEqual(["/docs/payouts"]);
});

test("a search that could not be loaded says so, and the next letter tries again", async () => {
  let broken = true;
  replyWith(found(() => (broken ? brokenLine() : inJson())));
  openSearch("/docs/search.json");
  await look("payout");
  expect(part(".hint").textContent).toBe("The search could not be loaded. Try again.");
  broken = false;
  await look("payouts");
  expect(items()).not.toHaveLength(0);
});

test("a slash goes to the search, but is a letter in a field", async () => {
  replyWith(found(inJson));
  openSearch("/docs/search.json");
  await pressKey("/", document.body);
  expect(document.activeElement).toBe(input());
  part("textarea").focus();
  await pressKey("/", part("textarea"));
  expect(document.activeElement).toBe(part("textarea"));
});

test("a press elsewhere closes the list", async () => {
  replyWith(found(inJson));
  openSearch("/docs/search.json");
  await look("payout");
  await settle(() => part("textarea").click());
  expect(part(".results").hidden).toBe(true);
});

test("a page without a search box is left alone", () => {
  document.body.innerHTML = "<p>Nothing</p>";
  expect(() => openSearch("/docs/search.json")).not.toThrow();
});
