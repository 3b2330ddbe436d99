/** What a caller is told whose path leads nowhere: the methods it takes, or the path that was probably meant. */
import { commonProblem, type Problem } from "../problem.ts";
import { type KnownPaths, pathOf } from "./known-paths.ts";

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
  const meant = known.meant(pathOf(asked.url));
  if (meant === undefined) return commonProblem("not_found");
  const methods = known.methodsOf(meant);
  const method = [asked.method, "GET"].find((one) => methods.includes(one)) ?? methods[0];
  return commonProblem("not_found", {
    message: `Nothing is here. Did you mean ${method} ${meant}? Paths are lower case, with no slash at the end.`,
  });
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
