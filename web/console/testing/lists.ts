/** Lists as the API gives them, and what a test wants to know about the files made of them. */
import { vi } from "vitest";
import type { Asked } from "../../testing/replies.ts";

export function queryOf({ path }: Pick<Asked, "path">): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(path.split("?")[1]));
}

/** Gives rows page by page. */
export function pages(rows: readonly unknown[]) {
  return (asked: Asked) => {
    const { page = "1", limit = "50" } = queryOf(asked);
    const end = Number(page) * Number(limit);
    const pagination = { currentPage: Number(page), totalItems: rows.length, hasNextPage: end < rows.length };
    return Response.json({ data: rows.slice(end - Number(limit), end), pagination });
  };
}

/** Whether there is room for a table; else rows are cards. */
export function screenIs(size: "wide" | "narrow"): void {
  const media = { matches: size === "wide", addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.spyOn(window, "matchMedia").mockReturnValue(media as never);
}

/** The files that a page saves, by name. */
export function savedFiles(): Map<string, () => Promise<string>> {
  const files = new Map<string, () => Promise<string>>();
  let newest: Blob | undefined;
  vi.spyOn(URL, "createObjectURL").mockImplementation((file) => {
    newest = file as Blob;
    return "blob:file";
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    const file = newest;
    if (this.download !== "" && file !== undefined) files.set(this.download, () => file.text());
  });
  return files;
}

/** The texts of a drawn table's cells, row by row. */
export function cells(): string[][] {
  return [...document.querySelectorAll("tbody tr")].map((row) =>
    [...row.querySelectorAll("td, th")].map((cell) => (cell.textContent ?? "").trim()),
  );
}

/** What stands beside a name among the facts of a record. */
export function fact(name: string): string | undefined {
  const terms = [...document.querySelectorAll("dt")].filter((term) => term.textContent === name);
  return terms[0]?.nextElementSibling?.textContent?.trim();
}
