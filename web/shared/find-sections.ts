/**
 * Which sections a search finds, and in which order. Readers type the words of other providers and of their customers
 * ("pay later", "dedicated account"), so some words also stand for ours. A word that a guide can simply use belongs in
 * the guide and not in this list.
 */
import type MiniSearch from "minisearch";
import type { Options, Query, SearchResult } from "minisearch";

/** A section of a page. */
export interface Searched {
  readonly url: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
  /** Found but not shown: words of the section's code and of the page's summary that its text does not have. */
  readonly words?: string;
  /** Below 1 for pages that few readers look for: a guide comes before a runbook. */
  readonly weight?: number;
}

/** The engine is loaded by the caller, because the browser loads it only when somebody searches. */
type Engine = typeof MiniSearch;

/** Each phrase is also searched as what follows it. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  decoder: ["smart card"],
  "insufficient balance": ["insufficient funds"],
  "go live": ["going live"],
  installment: ["instalment"],
  login: ["sign in"],
  metric: ["monitoring"],
  payroll: ["pay salaries"],
  recharge: ["airtime"],
  vtu: ["airtime"],
};

/** A section whose title is just what was typed comes before those that only mention it, also on a page of less weight. */
const titleMatch = 2;

/** They say nothing about what is looked for: "how do I verify a webhook". */
const idle = new Set("a an and are can do for from how i in is it me my of on or our the to we what with".split(" "));

const between = /[\s.,;:!?()[\]{}<>"'`´“”/|…=&%#*$@+·–]+/u;

export function createFinder(engine: Engine, records: readonly Searched[]): MiniSearch<Searched> {
  const options: Options<Searched> = {
    idField: "url",
    fields: ["title", "page", "text", "words"],
    storeFields: ["url", "page", "title", "text", "weight"],
    tokenize: tokensOf,
    processTerm: stemOf,
  };
  const index = new engine<Searched>(options);
  index.addAll([...new Map(records.map((each) => [each.url, each])).values()]);
  return index;
}

/** All words in one section; where no section has them all, those with most of them. */
export function find(index: MiniSearch<Searched>, words: string): SearchResult[] {
  const said = partsOf(words.toLowerCase()).filter((word) => !idle.has(word));
  const typed = words.trim().toLowerCase();
  const searched = {
    boost: { title: 6, page: 3, text: 1, words: 0.5 },
    tokenize: partsOf,
    // A number is right or wrong: 401 is not 402.
    fuzzy: (term: string) => (term.length > 4 && !/\d/.test(term) ? 0.2 : false),
    prefix: (term: string) => term.length > 2 && !/\d/.test(term),
    boostDocument: (_: unknown, _term: string, stored: Record<string, unknown> | undefined) =>
      String(stored?.["title"]).toLowerCase() === typed ? titleMatch : Number(stored?.["weight"] ?? 1),
  };
  const query = said.length === 0 ? words : said.join(" ");
  const meant = [query, ...(synonyms[said.map(stemOf).join(" ")] ?? [])];
  const inOneSection = meant.map((one): Query => ({ combineWith: "AND", queries: [one] }));
  const found = index.search({ combineWith: "OR", queries: inOneSection }, searched);
  return found.length > 0 ? found : index.search(query, { ...searched, combineWith: "OR" });
}

/** Codes and names are found whole, in their parts and without their hyphens: sub-account, account, subaccount. */
function tokensOf(text: string): string[] {
  return text.split(between).flatMap((word) => [...new Set([word, ...partsOf(word), word.replaceAll(/[_-]/g, "")])]);
}

function partsOf(text: string): string[] {
  return text
    .split(between)
    .flatMap((word) => word.split(/[_-]|(?<=[a-z])(?=[A-Z])/))
    .filter((word) => word !== "");
}

/** One form for one and many: salaries and salary, fees and fee. Accents do not count. */
function stemOf(term: string): string {
  const word = term.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.length > 3 && /[^sui]s$/.test(word) ? word.slice(0, -1) : word;
}
