/** Whether a name and a birthday in a register are those that a person gave. */

export interface RegisteredName {
  readonly first: string;
  readonly middle: string;
  readonly last: string;
}

/**
 * Every part that the person gave must stand in the register, in whatever order, and among them a part of the first and
 * of the last name there. Capitals, accents, apostrophes and hyphens do not count, nor the hooks of Hausa letters,
 * which registers write without; a middle name may be left out.
 */
export function namesFit(
  given: { readonly firstName: string; readonly lastName: string },
  theirs: RegisteredName,
): boolean {
  const ours = new Set([...partsOf(given.firstName), ...partsOf(given.lastName)]);
  const [first, last] = [partsOf(theirs.first), partsOf(theirs.last)];
  const all = new Set([...first, ...partsOf(theirs.middle), ...last]);
  if (partsOf(given.firstName).length === 0 || partsOf(given.lastName).length === 0) return false;
  return (
    [...ours].every((part) => all.has(part)) &&
    first.some((part) => ours.has(part)) &&
    last.some((part) => ours.has(part))
  );
}

/** Letters that Unicode does not take apart into a letter and a mark. */
const hooked: Readonly<Record<string, string>> = { ɓ: "b", ɗ: "d", ƙ: "k", ƴ: "y" };

function partsOf(name: string): string[] {
  const folded = name
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[ɓɗƙƴ]/g, (letter) => hooked[letter] ?? letter)
    .replaceAll(/['’`ʼ]/g, "");
  return folded.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== "");
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** YYYY-MM-DD out of 1990-05-16, 16-05-1990, 16/05/1990 and 16-May-1990; the day comes first, as Nigeria writes it. */
export function readDate(text: string): string | undefined {
  const iso = /^(\d{4})-(\d{2})-(\d{2})/.exec(text.trim());
  if (iso !== null) return dateOf(iso[1], iso[2], iso[3]);
  const dayFirst = /^(\d{1,2})[-/ ](\d{1,2}|[a-z]{3,9})[-/ ](\d{4})$/i.exec(text.trim());
  if (dayFirst === null) return undefined;
  const [, day, month = "", year] = dayFirst;
  const named = months.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  return dateOf(year, named > 0 ? String(named) : month, day);
}

function dateOf(year = "", month = "", day = ""): string | undefined {
  try {
    return String(
      Temporal.PlainDate.from({ year: Number(year), month: Number(month), day: Number(day) }, { overflow: "reject" }),
    );
  } catch {
    return undefined;
  }
}
