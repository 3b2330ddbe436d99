/** Tells a path that is not here from one that is here and does not take this method, and guesses what was meant. */
import { isUuid } from "../../database/ids.ts";
import { commonProblem, type Problem } from "../../problem.ts";
import { familyOf } from "../family.ts";
import { nearestWord } from "../nearest-word.ts";

interface KnownPath {
  readonly path: string;
  readonly steps: readonly Step[];
  /** How many steps are words and not ids: where several paths fit, the one with most words is meant. */
  readonly words: number;
  readonly methods: Set<string>;
}

/** A word of the path, or null where an id stands. */
type Step = string | null;

export interface KnownPaths {
  add(path: string, method: string): void;
  /** Pages of other sites may read it. */
  share(path: string): void;
  isShared(path: string): boolean;
  /** The methods that the path takes, GET first; empty for an unknown path. */
  methodsOf(path: string): string[];
  /** A known path that is written a little differently, as OpenAPI writes it; undefined when nothing comes near. */
  meant(path: string): string | undefined;
}

const longestGuessed = 200;
/** The pages' own endpoints and what serves files are nobody's business. */
const unguessed = /^\/(hosted|console)\/|\*/;
/** What paths of other providers begin with; ours do not. */
const foreignPrefix = /^\/+(api\b|v\d+)(\/+(api\b|v\d+))*(?=\/)/i;

export function createKnownPaths(): KnownPaths {
  const known = new Map<string, KnownPath>();
  const shared = new Set<string>();
  return {
    share: (path) => void shared.add(path),
    isShared: (path) => shared.has(path),
    add(path, method) {
      const entry = known.get(path) ?? entryOf(path);
      entry.methods.add(method);
      known.set(path, entry);
    },
    methodsOf(path) {
      const steps = path.split("/");
      const fitting = [...known.values()].filter((entry) => fits(entry, steps));
      const mostWords = Math.max(...fitting.map(({ words }) => words));
      const methods = fitting.filter(({ words }) => words === mostWords).flatMap((entry) => [...entry.methods]);
      return [...new Set(methods)].sort();
    },
    meant(path) {
      if (path.length > longestGuessed) return undefined;
      const callable = [...known.values()].filter(({ path: shown }) => !unguessed.test(shown));
      const bare = path.replace(foreignPrefix, "");
      return bare === path ? guess(callable, path) : (fitting(callable, bare) ?? guess(callable, bare));
    },
  };
}

/** Takes both `{id}` and Fastify's `:id`. */
function entryOf(path: string): KnownPath {
  const steps = path.split("/").map((step) => (/^(\{.+\}|:.+)$/.test(step) ? null : step));
  const shown = path.replaceAll(/:(\w+)/g, "{$1}");
  return { path: shown, steps, words: steps.filter((step) => step !== null).length, methods: new Set() };
}

function fits({ steps }: KnownPath, asked: readonly string[]): boolean {
  // An id is never empty: /transfers/ is not a transfer.
  return (
    steps.length === asked.length && steps.every((step, place) => asked[place] === (step ?? (asked[place] || null)))
  );
}

/** A path behind a prefix: where several fit, the one with most words. */
function fitting(known: readonly KnownPath[], path: string): string | undefined {
  const steps = path.split("/");
  return known.filter((entry) => fits(entry, steps)).sort((one, other) => other.words - one.words)[0]?.path;
}

/** A slash too many, capitals, a letter wrong. An id has to look like one: any word could stand in its place. */
function guess(known: readonly KnownPath[], path: string): string | undefined {
  const asked = path.split("/").filter((step) => step !== "");
  const candidates = known.filter(({ steps }) => steps.length === asked.length + 1);
  const near = candidates.filter(({ steps }) =>
    steps.slice(1).every((step, place) => {
      const said = asked[place] ?? "";
      return step === null ? isUuid(said) : nearestWord(said, [step]) !== undefined;
    }),
  );
  const words = (steps: readonly Step[]) => steps.filter((step) => step !== null).join("/");
  const said = asked.filter((step) => !isUuid(step)).join("/");
  const nearest = nearestWord(
    said,
    near.map(({ steps }) => words(steps).slice(1)),
  );
  return near.find(({ steps }) => words(steps).slice(1) === nearest)?.path;
}

/** The path without its query, for matching and for the family. */
export function pathOf(url: string): string {
  const end = url.search(/[?#;]/);
  return end === -1 ? url : url.slice(0, end);
}

export function familyOfUrl(url: string): ReturnType<typeof familyOf> {
  return familyOf(pathOf(url));
}

/** What a caller is told whose path leads nowhere: the methods it takes, or the path that was probably meant. */
interface Asked {
  readonly method: string;
  readonly url: string;
}

export function allowOf(methods: readonly string[]): string {
  return [...methods, "OPTIONS"].join(", ");
}

export function methodNotAllowed(methods: readonly string[]): Problem {
  return commonProblem("method_not_allowed", { headers: { Allow: allowOf(methods) } });
}

export function nothingHere(known: KnownPaths, asked: Asked): Problem {
  const path = pathOf(asked.url);
  const meant = known.meant(path);
  if (meant === undefined) return commonProblem("not_found");
  const methods = known.methodsOf(meant);
  const method = [asked.method, "GET"].find((one) => methods.includes(one)) ?? methods[0];
  return commonProblem("not_found", {
    message: `There is no ${path}. The path is ${meant}. Send ${method} ${meant}; ${ruleOf(path)}`,
  });
}

function ruleOf(path: string): string {
  const [prefix] = foreignPrefix.exec(path) ?? [];
  return prefix === undefined
    ? "paths are lower case, with no slash at the end."
    : `paths do not begin with ${prefix}.`;
}

/**
 * The router took a word for an id, as in GET /loans/create. Where that word is a path of its own with other methods,
 * or nearly one, that is told; otherwise the id is simply nobody's.
 */
export function missedId(known: KnownPaths, asked: Asked, notFound: () => Problem): Problem {
  const path = pathOf(asked.url);
  const methods = known.methodsOf(path);
  if (methods.length > 0 && !methods.includes(asked.method)) return methodNotAllowed(methods);
  return known.meant(path) === undefined ? notFound() : nothingHere(known, asked);
}
