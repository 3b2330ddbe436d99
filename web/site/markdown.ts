/**
 * How the site reads markdown: headings have the anchors that they have on a code host, links between files become
 * links between pages, wide tables scroll by themselves, and code is coloured with classes, because the pages' policy
 * lets no style stand in their text.
 */
import { posix } from "node:path";
import MarkdownIt from "markdown-it";
import { renderCode } from "./code.ts";
import { addressOf, pages, type SitePage } from "./pages.ts";

type Token = ReturnType<MarkdownIt["parse"]>[number];

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly level: number;
  /** What the section says, tables included, without its code. */
  readonly text: string;
  /** The examples of the section. */
  readonly code: string;
}

/** A page as the markdown that stands in its source, and what was read from that. */
export interface Reading {
  readonly page: SitePage;
  readonly title: string;
  readonly markdown: string;
  readonly sections: readonly Section[];
}

export const markdown = new MarkdownIt({ html: true, linkify: false, highlight: renderCode });

markdown.core.ruler.push("anchors", (state) => addAnchors(state.tokens));
markdown.core.ruler.push("site-links", (state) => rewriteLinks(state.tokens, state.env.entry as SitePage | undefined));
markdown.renderer.rules["table_open"] = () =>
  '<div class="table" tabindex="0" role="group" aria-label="Table"><table>\n';
markdown.renderer.rules["table_close"] = () => "</table></div>\n";

/** As code hosts make them: letters, digits, hyphens and underscores stay, spaces become hyphens. */
function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}

function addAnchors(tokens: Token[]): void {
  const seen = new Map<string, number>();
  tokens.forEach((token, place) => {
    if (token.type !== "heading_open") return;
    const inline = tokens[place + 1];
    const slug = slugOf(textOf(inline));
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    const id = before === 0 ? slug : `${slug}-${before}`;
    token.attrSet("id", id);
    if (token.tag !== "h1") appendAnchor(inline, id);
  });
}

/** A small sign behind the heading, with which a reader takes its address. */
function appendAnchor(inline: Token | undefined, id: string): void {
  if (inline === undefined) return;
  const [open, text, close] = markdown.parseInline(`[#](#${id})`, {})[0]?.children ?? [];
  if (open === undefined || text === undefined || close === undefined) return;
  open.attrSet("class", "anchor");
  open.attrSet("aria-label", `Link to ${textOf(inline)}`);
  inline.children = [...(inline.children ?? []), open, text, close];
}

function textOf(inline: Token | undefined): string {
  const texts = (inline?.children ?? []).map(({ type, content }) =>
    type === "softbreak" ? " " : type === "html_inline" ? "" : content,
  );
  return texts.join("").replace(/#$/, "").trim();
}

/** A file of the repository that is no page keeps its words and loses its link. */
function rewriteLinks(tokens: readonly Token[], page: SitePage | undefined): void {
  for (const { children } of tokens) {
    for (const token of children ?? []) {
      const href = token.type === "link_open" ? token.attrGet("href") : null;
      if (href === null || page === undefined) continue;
      const target = addressFrom(page, href);
      if (target === undefined) {
        token.tag = "span";
        token.attrs = [["class", "file"]];
        closeOf(children ?? [], token).tag = "span";
      } else token.attrSet("href", target);
    }
  }
}

function closeOf(tokens: readonly Token[], open: Token): Token {
  const close = tokens
    .slice(tokens.indexOf(open))
    .find(({ type, level }) => type === "link_close" && level === open.level);
  if (close === undefined) throw new Error("a link that does not end");
  return close;
}

/** Where a link in a source leads on the site, or undefined when the site does not have that file. */
function addressFrom({ source }: SitePage, href: string): string | undefined {
  if (/^([a-z]+:|#|\/)/.test(href)) return href;
  const [path = "", anchor] = href.split("#");
  const file = posix.join(posix.dirname(source), path);
  const target = pages.find((page) => page.source === file);
  if (target === undefined) return undefined;
  return anchor === undefined ? addressOf(target) : `${addressOf(target)}#${anchor}`;
}

/** The page without what only people who work on the code read. */
export function readPage(page: SitePage, source: string): Reading {
  const text = leaveOut(source.replace(/^<!--.*?-->\s*/s, ""), page.without ?? []);
  const tokens = markdown.parse(text, { entry: page });
  const sections = sectionsOf(tokens);
  const [first] = sections;
  if (first?.level !== 1) throw new Error(`${page.source} does not begin with its title`);
  return { page, title: first.title, markdown: text, sections };
}

function leaveOut(text: string, titles: readonly string[]): string {
  return titles.reduce((rest, title) => {
    const shorter = rest.replace(new RegExp(`^## ${title}\\n[\\s\\S]*?(?=^## |(?![\\s\\S]))`, "m"), "");
    if (shorter === rest) throw new Error(`there is no section "${title}" to leave out`);
    return shorter;
  }, text);
}

function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: { id: string; title: string; level: number; texts: string[]; codes: string[] }[] = [];
  tokens.forEach((token, place) => {
    if (token.type === "heading_open") {
      const title = textOf(tokens[place + 1]);
      sections.push({ id: token.attrGet("id") ?? "", title, level: Number(token.tag.slice(1)), texts: [], codes: [] });
    } else if (token.type === "inline" && tokens[place - 1]?.type !== "heading_open") {
      sections.at(-1)?.texts.push(textOf(token));
    } else if (token.type === "fence") sections.at(-1)?.codes.push(token.content);
  });
  return sections.map(({ texts, codes, ...section }) => ({
    ...section,
    text: texts.join(" ").trim(),
    code: codes.join("\n").trim(),
  }));
}
