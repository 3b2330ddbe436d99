/** What the search looks through: a record for each section of each page. The browser makes its index from them. */
import type { Searched } from "../shared/find-sections.ts";
import type { Reading, Section } from "./markdown.ts";
import { addressOf, groups, isPage, type SitePage } from "./pages.ts";

/**
 * Generated pages have a section for each code, event or rule, which would otherwise fill every list of results. The
 * weights are those of their headings, by level. A code that is typed whole is still found first.
 */
const listed: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  errors: { 2: 0.5, 3: 0.1 },
  events: { 2: 0.1 },
  "credit-policy": { 2: 0.1 },
};

export function searchIndex(readings: readonly Reading[]): Searched[] {
  const sections = readings.flatMap((reading) => reading.sections.map((section) => recordOf(reading, section)));
  const links = groups.flatMap(({ entries }) => entries.filter((entry) => !isPage(entry)));
  return [
    ...sections,
    ...links.map((link) => ({ url: addressOf(link), page: link.label, title: link.label, text: link.summary })),
  ];
}

function recordOf({ page, title }: Reading, section: Section): Searched {
  const isWhole = section.level === 1;
  const words = newWords(`${isWhole ? `${page.label} ${page.summary} ` : ""}${section.code}`, section.text);
  const weight = weightOf(page, section.level);
  return {
    url: isWhole ? addressOf(page) : `${addressOf(page)}#${section.id}`,
    page: title,
    title: section.title,
    text: section.text,
    ...(words === "" ? {} : { words }),
    ...(weight === 1 ? {} : { weight }),
  };
}

function weightOf(page: SitePage, level: number): number {
  return listed[page.slug]?.[level] ?? groups.find(({ entries }) => entries.includes(page))?.weight ?? 1;
}

/** Each word once, and none that the text has: ids, dates and amounts of examples are searched by nobody. */
function newWords(from: string, text: string): string {
  const there = new Set(wordsOf(text));
  return [...new Set(wordsOf(from))].filter((word) => !there.has(word)).join(" ");
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}[\p{L}_-]{2,}/gu) ?? [];
