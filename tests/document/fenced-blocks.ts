/** The examples of documents: what a reader copies. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pages } from "../../web/site/pages.ts";
import { root } from "./document.ts";

export interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  /** Behind the language: `by-hand` for what no test can run. */
  readonly tag: string;
  readonly text: string;
}

/** Every page of the site, and the first file that anybody reads. */
export const documents: readonly string[] = ["README.md", ...pages.map(({ source }) => source)];

export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(/^```(\w*)(?: ([^\n]+))?\n([\s\S]*?)^```$/gm)].map((found) => {
    const [, language = "", tag = "", block = ""] = found;
    return { page, line: text.slice(0, found.index).split("\n").length, language, tag, text: block };
  });
}

/** What a test runs of a page. */
export function runnable(page: string, language: string): string[] {
  const chosen = blocksOf(page).filter((block) => block.language === language && block.tag === "");
  return chosen.map(({ text }) => text);
}
