/** Chooses between the media types of a route by the caller's Accept header (RFC 9110). */
import { commonProblem } from "../problem.ts";

export const jsonType = "application/json";

interface Wish {
  readonly range: string;
  readonly quality: number;
}

/** The best of `offered` for this caller; the first when the caller does not mind. Throws not_acceptable. */
export function chooseMediaType(accept: string | undefined, offered: readonly string[]): string {
  const wishes = parseAccept(accept ?? "*/*");
  let best: { type: string; quality: number } | undefined;
  for (const type of offered) {
    const quality = qualityOf(type, wishes);
    if (quality > (best?.quality ?? 0)) best = { type, quality };
  }
  if (best !== undefined) return best.type;
  throw commonProblem("not_acceptable", {
    message: `This path answers in ${offered.join(" or ")}. Ask for one of them with Accept.`,
  });
}

function parseAccept(accept: string): Wish[] {
  return accept.split(",").map((part) => {
    const [range = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
    return { range, quality: /^[01](\.\d{0,3})?$/.test(quality) ? Number(quality) : 1 };
  });
}

/** The most precise wish that covers the type decides. */
function qualityOf(type: string, wishes: readonly Wish[]): number {
  for (const range of [type, `${type.split("/")[0]}/*`, "*/*"]) {
    const wish = wishes.find((candidate) => candidate.range === range);
    if (wish !== undefined) return wish.quality;
  }
  return 0;
}
