import { everyScope } from "../platform/http/caller-scope.ts";

/** What a key may be limited to. `resources` are those of all slices. */
export function knownScopes(resources: readonly string[]): string[] {
  return [everyScope, ...resources.flatMap((resource) => [`${resource}:read`, `${resource}:write`])];
}
