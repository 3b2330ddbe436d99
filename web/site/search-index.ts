/** What the search looks through: a record for each section of each page. The browser makes its index from them. */
import type { Reading } from "./markdown.ts";
import { addressOf } from "./pages.ts";

interface Searched {
  readonly url: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
}

export function searchIndex(readings: readonly Reading[]): Searched[] {
  return readings.flatMap(({ page, title, sections }) =>
    sections.map((section) => ({
      url: section.level === 1 ? addressOf(page) : `${addressOf(page)}#${section.id}`,
      page: title,
      title: section.title,
      text: section.text,
    })),
  );
}
