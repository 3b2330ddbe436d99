/**
 * Whether two spellings name the same account holder. Banks and merchants write names differently: in another order,
 * in capitals, with titles, without the middle name. Those differences are forgiven; a different word is not.
 */
const titles: ReadonlySet<string> = new Set([
  "MR",
  "MRS",
  "MS",
  "MISS",
  "MASTER",
  "DR",
  "PROF",
  "CHIEF",
  "ALHAJI",
  "ALHAJA",
  "MALLAM",
  "ENGR",
  "BARR",
  "ARC",
  "SIR",
  "LADY",
  "REV",
  "PASTOR",
  "EVANG",
  "HON",
  "OTUNBA",
  "PRINCE",
  "PRINCESS",
]);

/** Spellings of the same company form. */
const synonyms: Readonly<Record<string, string>> = {
  LIMITED: "LTD",
  COMPANY: "CO",
  ENTERPRISES: "ENT",
  NIGERIA: "NIG",
};

export function namesMatch(expected: string, actual: string): boolean {
  const [short, long] = [wordsOf(expected), wordsOf(actual)].sort((left, right) => left.length - right.length);
  if (short === undefined || long === undefined || short.length === 0) return false;
  // One word out of several would match half the country: only a missing middle name is forgiven.
  if (short.length === 1 && long.length > 1) return false;
  const left = [...long];
  return short.every((word) => {
    const place = left.indexOf(word);
    if (place < 0) return false;
    left.splice(place, 1);
    return true;
  });
}

function wordsOf(name: string): string[] {
  return name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toUpperCase()
    .replace(/['’`]/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !titles.has(word))
    .map((word) => synonyms[word] ?? word);
}
