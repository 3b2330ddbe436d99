/**
 * There are two families of endpoints, because the specification has two: everything under /loans speaks snake_case in
 * the envelope { status: "success", title, message, data }, everything else camelCase in
 * { status: true, message, data }. The family follows from the path.
 */
export type Family = "loans" | "general";

export function familyOf(path: string): Family {
  return path === "/loans" || path.startsWith("/loans/") || path.startsWith("/loans?") ? "loans" : "general";
}
