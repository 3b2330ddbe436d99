/** How the documentation reads its sources: anchors, links, tables, sections. */
import { describe, expect, test } from "vitest";
import { llmsFullText, llmsText } from "./llms.ts";
import { markdown, readPage } from "./markdown.ts";
import { addressOf, groups, isPage, pages, type SitePage } from "./pages.ts";
import { searchIndex } from "./search-index.ts";

const page: SitePage = { slug: "payouts", source: "docs/guides/payouts.md", label: "Payouts", summary: "Pay people." };
const html = (text: string, entry: SitePage | undefined = page) => markdown.render(text, { entry });
const ids = (text: string) => [...html(text).matchAll(/<h\d id="([^"]*)"/g)].map(([, id]) => id);

describe("anchors", () => {
  test.each([
    ["## Send again", "send-again"],
    ["## `POST /transfers`", "post-transfers"],
    ["## What's new, and why?", "whats-new-and-why"],
    ["## Ọbẹ̀ at 50 %", "ọbẹ-at-50-"],
    ["## snake_case and kebab-case", "snake_case-and-kebab-case"],
    ["## A [link](other.md) in it", "a-link-in-it"],
  ])("%s has the anchor %s", (text, id) => {
    expect(ids(text)[0]?.normalize("NFC")).toBe(id.normalize("NFC"));
  });

  test("headings of the same words are counted, as code hosts count them", () => {
    expect(ids("## Fees\n## Fees\n## Fees")).toEqual(["fees", "fees-1", "fees-2"]);
  });

  test("each heading but the title has a link to itself, with a name that is read out", () => {
    const text = html("# Title\n\n## Fees & <b>more</b>");
    expect(text.match(/class="anchor"/g)).toHaveLength(1);
    expect(text).toContain('href="#fees--more"');
    expect(text).toContain('aria-label="Link to Fees &amp; more"');
  });
});

describe("links", () => {
  test.each([
    ["[a](bills.md)", 'href="/docs/bills"'],
    ["[a](bills.md#tokens)", 'href="/docs/bills#tokens"'],
    ["[a](../errors.md)", 'href="/docs/errors"'],
    ["[a](https://example.com/a.md)", 'href="https://example.com/a.md"'],
    ["[a](#here)", 'href="#here"'],
    ["[a](/status)", 'href="/status"'],
  ])("%s leads to %s", (text, href) => {
    expect(html(text)).toContain(href);
  });

  test("a file that is no page keeps its words and loses its link", () => {
    const text = html("See [the **code**](../../server/src/main.ts) there.");
    expect(text).not.toContain("<a ");
    expect(text).toContain('<span class="file">the <strong>code</strong></span>');
  });

  test("of several links in a line each is rewritten for itself", () => {
    const text = html("[a](../../LICENSE), [b](bills.md), [c](../../README.txt)");
    expect(text.match(/<span class="file">/g)).toHaveLength(2);
    expect(text.match(/<a /g)).toHaveLength(1);
    expect(text.match(/<\/span>/g)).toHaveLength(2);
  });
});

test("a wide table scrolls by itself, and can be reached from the keyboard", () => {
  const text = html("| a |\n|---|\n| b |");
  expect(text).toContain('<div class="table" tabindex="0" role="group" aria-label="Table"><table>');
  expect(text).toContain("</table></div>");
});

describe("reading a page", () => {
  const source =
    "<!-- generated -->\n# Payouts\n\nPay people.\n\n## Fees\n\nThey are `small`.\n\n## For us\n\nHidden.\n";

  test("it has its title, and a section for each heading with its words", () => {
    const { title, sections, markdown: kept } = readPage(page, source);
    expect(title).toBe("Payouts");
    expect(sections).toEqual([
      { id: "payouts", title: "Payouts", level: 1, text: "Pay people.", code: "" },
      { id: "fees", title: "Fees", level: 2, text: "They are small.", code: "" },
      { id: "for-us", title: "For us", level: 2, text: "Hidden.", code: "" },
    ]);
    expect(kept).not.toContain("generated");
  });

  test("what is only for people who work on the code is left out, also from the middle", () => {
    const last = readPage({ ...page, without: ["For us"] }, source);
    expect(last.sections.map(({ title }) => title)).toEqual(["Payouts", "Fees"]);
    const middle = readPage({ ...page, without: ["Fees"] }, source);
    expect(middle.sections.map(({ title }) => title)).toEqual(["Payouts", "For us"]);
  });

  test("a section to leave out that is not there is a mistake, and so is a page without its title", () => {
    expect(() => readPage({ ...page, without: ["Gone"] }, source)).toThrow('there is no section "Gone" to leave out');
    expect(() => readPage(page, "## Fees\n")).toThrow("does not begin with its title");
  });

  test("code is kept apart from the words", () => {
    const [section] = readPage(page, "# T\n\nWords.\n\n```sh\nsecret-command\n```\n").sections;
    expect([section?.text, section?.code]).toEqual(["Words.", "secret-command"]);
  });
});

describe("for programs that read", () => {
  const readings = [readPage(page, "# How to pay\n\nWords.\n\n## Fees\n\nSmall.\n")];

  test("a search finds the page by its title and each section by its anchor", () => {
    expect(searchIndex(readings).filter(({ page: title }) => title === "How to pay")).toEqual([
      { url: "/docs/payouts", page: "How to pay", title: "How to pay", text: "Words.", words: "payouts pay people" },
      { url: "/docs/payouts#fees", page: "How to pay", title: "Fees", text: "Small." },
    ]);
  });

  test("llms.txt lists every page once, under its own title where it was read", () => {
    const text = llmsText(readings);
    for (const entry of groups.flatMap(({ entries }) => entries)) {
      expect(text.split(`](${addressOf(entry)}):`)).toHaveLength(2);
    }
    expect(text).toContain("- [How to pay](/docs/payouts):");
  });

  test("the whole text has every page, divided from the next", () => {
    const text = llmsFullText([...readings, ...readings]);
    expect(text.split("\n---\n")).toHaveLength(3);
    expect(text).toContain("## Fees");
  });
});

test("every page has an address of its own, and words for a list", () => {
  const all = groups.flatMap(({ entries }) => entries);
  expect(new Set(all.map(addressOf)).size).toBe(all.length);
  expect(pages).toEqual(all.filter(isPage));
  for (const { label, summary } of all) {
    expect(label.length).toBeLessThan(40);
    expect(summary).toMatch(/\.$/);
  }
});
