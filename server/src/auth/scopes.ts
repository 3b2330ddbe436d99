/** What a key may be limited to. `*` is everything, also what is added later. */
export const everyScope = "*";

/** `resources` are those of all slices. */
export function knownScopes(resources: readonly string[]): string[] {
  return [everyScope, ...resources.flatMap((resource) => [`${resource}:read`, `${resource}:write`])];
}
