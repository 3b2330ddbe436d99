/** What a person reads of a drawn part: for tests, which draw without a browser. */
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";

export function shownText(part: ReactNode): string {
  return renderToStaticMarkup(part)
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ")
    .trim();
}
