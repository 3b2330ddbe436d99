/** Builds the documentation site into a build of the pages, around the shell that vite has made of docs/index.html. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Eleventy } from "@11ty/eleventy";
import { llmsFullText, llmsText } from "./llms.ts";
import { markdown, type Reading, readPage } from "./markdown.ts";
import { addressOf, groups, pages } from "./pages.ts";
import { postmanCollection } from "./postman.ts";
import { searchIndex } from "./search-index.ts";

const root = join(import.meta.dirname, "..", "..");

const home = {
  title: "Build with Jara",
  entry: { summary: "Payouts, bills, loans, checkout on credit and wallets for Nigeria, behind one API." },
  permalink: "index.html",
};

export async function buildSite(build: string): Promise<void> {
  const shell = readFileSync(join(build, "docs", "index.html"), "utf8");
  const readings = pages.map((page) => readPage(page, readFileSync(join(root, page.source), "utf8")));
  const search = writeAsset(build, "search", JSON.stringify(searchIndex(readings)));
  writeFileSync(join(build, "docs", "llms.txt"), llmsText(readings));
  writeFileSync(join(build, "docs", "llms-full.txt"), llmsFullText(readings));
  const document = JSON.parse(readFileSync(join(root, "docs", "openapi.json"), "utf8"));
  writeFileSync(join(build, "docs", "postman.json"), JSON.stringify(postmanCollection(document)));
  await render(build, readings, { shell, search });
}

/** Assets are kept for ever by browsers, so each is named after its content. */
function writeAsset(build: string, name: string, text: string): string {
  const hash = createHash("sha256").update(text).digest("base64url").slice(0, 8);
  const path = `assets/${name}-${hash}.json`;
  writeFileSync(join(build, path), text);
  return `/${path}`;
}

const readTemplate = (name: string): string => readFileSync(join(import.meta.dirname, name), "utf8");

interface Frame {
  readonly shell: string;
  /** Where the index of the search lies. */
  readonly search: string;
}

/** Every page is handed to Eleventy with its data; nothing is read from its input folder, which is empty. */
async function render(build: string, readings: readonly Reading[], { shell, search }: Frame): Promise<void> {
  const input = join(build, "site-input");
  mkdirSync(input);
  const eleventy = new Eleventy(input, join(build, "docs"), {
    quietMode: true,
    config(settings) {
      settings.setUseGitIgnore(false);
      settings.setLibrary("md", markdown);
      settings.addGlobalData("groups", groups);
      settings.addGlobalData("search", search);
      settings.addGlobalData("layout", "frame.njk");
      settings.addFilter("addressOf", addressOf);
      settings.addTemplate("_includes/shell.njk", shell);
      settings.addTemplate("_includes/frame.njk", readTemplate("frame.njk"));
      settings.addTemplate("index.njk", readTemplate("home.njk"), home);
      for (const [place, reading] of readings.entries()) {
        const { title, page, sections } = reading;
        const around = { before: readings[place - 1]?.page, after: readings[place + 1]?.page };
        const deepest = page.deepest ?? 3;
        const listed = sections.filter(({ level }) => level > 1 && level <= deepest);
        const data = { title, entry: page, listed, ...around, permalink: `${page.slug}.html` };
        settings.addTemplate(`${page.slug}.md`, reading.markdown, data);
      }
      return { markdownTemplateEngine: false, htmlTemplateEngine: "njk" };
    },
  });
  eleventy.disableLogger();
  await eleventy.write();
  rmSync(input, { recursive: true });
}
