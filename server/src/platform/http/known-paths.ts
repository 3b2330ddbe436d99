/** Tells a path that is not here from one that is here and does not take this method. */
import { familyOf } from "./route.ts";

interface KnownPath {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

export interface KnownPaths {
  add(path: string, method: string): void;
  /** The methods that the path takes, GET first; empty for an unknown path. */
  methodsOf(path: string): string[];
}

export function createKnownPaths(): KnownPaths {
  const known = new Map<string, KnownPath>();
  return {
    add(path, method) {
      const entry = known.get(path) ?? { pattern: patternOf(path), methods: new Set<string>() };
      entry.methods.add(method);
      known.set(path, entry);
    },
    methodsOf(path) {
      const methods = new Set<string>();
      for (const entry of known.values()) {
        if (entry.pattern.test(path)) for (const method of entry.methods) methods.add(method);
      }
      return [...methods].sort();
    },
  };
}

/** Takes both `{id}` and Fastify's `:id`. */
function patternOf(path: string): RegExp {
  const steps = path.split("/").map((step) => {
    if (/^(\{.+\}|:.+)$/.test(step)) return "[^/]+";
    return step.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${steps.join("/")}$`);
}

/** The path without its query, for matching and for the family. */
export function pathOf(url: string): string {
  const end = url.search(/[?#;]/);
  return end === -1 ? url : url.slice(0, end);
}

export function familyOfUrl(url: string): ReturnType<typeof familyOf> {
  return familyOf(pathOf(url));
}
