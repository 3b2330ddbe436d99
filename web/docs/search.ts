/** The search of the site. It happens in the browser: the records are loaded when somebody first wants to search. */
import type MiniSearch from "minisearch";
import type { SearchResult } from "minisearch";
import { createFinder, find, type Searched } from "../shared/find-sections.ts";

const mostShown = 8;
const around = 60;

export function openSearch(source: string): void {
  const box = document.querySelector<HTMLElement>(".search");
  const input = box?.querySelector<HTMLInputElement>("input");
  const results = box?.querySelector<HTMLElement>(".results");
  const list = box?.querySelector<HTMLElement>("#found");
  const hint = box?.querySelector<HTMLElement>(".hint");
  if (!box || !input || !results || !list || !hint) return;
  box.hidden = false;
  let loading: Promise<MiniSearch<Searched>> | undefined;
  const load = () => {
    // What could not be read is read again for the next letter.
    loading ??= readIndex(source).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const show = (open: boolean) => {
    results.hidden = !open;
    input.setAttribute("aria-expanded", String(open));
    // What was chosen before stood in another list, or is not to be seen any more.
    input.removeAttribute("aria-activedescendant");
  };
  const look = async () => {
    const words = input.value.trim();
    if (words === "") return show(false);
    const index = await load().catch(() => undefined);
    if (input.value.trim() !== words) return;
    const found = index === undefined ? [] : find(index, words).slice(0, mostShown);
    list.replaceChildren(...found.map((result, place) => resultItem(result, place)));
    hint.textContent =
      index === undefined ? "The search could not be loaded. Try again." : countText(found.length, words);
    hint.classList.toggle("visually-hidden", found.length > 0);
    show(true);
  };
  input.addEventListener("focus", () => void load().catch(() => undefined));
  input.addEventListener("input", () => void look());
  input.addEventListener("keydown", (event) => steer(event, { input, list, isOpen: !results.hidden, show }));
  document.addEventListener("click", (event) => {
    if (event.target instanceof Node && !box.contains(event.target)) show(false);
  });
  document.addEventListener("keydown", (event) => {
    const writing = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
    if (event.key !== "/" || writing || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    input.focus();
  });
}

function countText(count: number, words: string): string {
  return count === 0 ? `Nothing is found for “${words}”.` : `${count} found`;
}

async function readIndex(source: string): Promise<MiniSearch<Searched>> {
  const [{ default: MiniSearch }, reply] = await Promise.all([import("minisearch"), fetch(source)]);
  return createFinder(MiniSearch, (await reply.json()) as Searched[]);
}

function resultItem(result: SearchResult, place: number): HTMLElement {
  const { url, page, title, text } = result as unknown as Searched;
  const item = document.createElement("div");
  item.id = `found-${place}`;
  item.role = "option";
  const link = document.createElement("a");
  link.href = url;
  link.tabIndex = -1;
  const heading = document.createElement("strong");
  heading.textContent = title === page ? page : `${page} › ${title}`;
  const excerpt = document.createElement("span");
  excerpt.textContent = excerptOf(text, result.terms);
  link.append(heading, excerpt);
  item.append(link);
  return item;
}

/** The words around the first place where something searched for stands. */
function excerptOf(text: string, terms: readonly string[]): string {
  // "salary" also stands for "salaries".
  const places = terms.map((term) => text.toLowerCase().indexOf(term.replace(/y$/, ""))).filter((place) => place >= 0);
  const begin = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - around);
  const end = begin + 3 * around;
  return `${begin > 0 ? "…" : ""}${text.slice(begin, end)}${text.length > end ? "…" : ""}`;
}

interface Steered {
  readonly input: HTMLInputElement;
  readonly list: HTMLElement;
  readonly isOpen: boolean;
  show(open: boolean): void;
}

/** Arrows move through what was found, Enter opens it, Escape closes the list. */
function steer(event: KeyboardEvent, { input, list, isOpen, show }: Steered): void {
  if (!isOpen) return;
  const items = [...list.children].filter((child) => child instanceof HTMLElement);
  const at = items.findIndex((item) => item.id === input.getAttribute("aria-activedescendant"));
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined && items.length > 0) {
    event.preventDefault();
    const next = items[(at + step + items.length) % items.length];
    for (const item of items) item.setAttribute("aria-selected", String(item === next));
    if (next !== undefined) input.setAttribute("aria-activedescendant", next.id);
    next?.scrollIntoView({ block: "nearest" });
  } else if (event.key === "Enter") {
    (items[Math.max(at, 0)]?.firstElementChild as HTMLAnchorElement | null | undefined)?.click();
  } else if (event.key === "Escape") show(false);
}
