/** An amount as a cheque says it: a figure with a zero too many reads differently. */
const small = [
  "",
  ..."one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split(" "),
  ..."seventeen eighteen nineteen".split(" "),
];
const tens = ["", "", ..."twenty thirty forty fifty sixty seventy eighty ninety".split(" ")];
const scales = ["", " thousand", " million", " billion", " trillion"];

/** "Two million naira only". `amount` is naira with at most two decimals. */
export function amountInWords(amount: number): string {
  const kobo = BigInt(Math.round(amount * 100));
  const [naira, rest] = [kobo / 100n, Number(kobo % 100n)];
  const parts = [
    ...(naira > 0n || rest === 0 ? [`${numberInWords(naira)} naira`] : []),
    ...(rest > 0 ? [`${numberInWords(BigInt(rest))} kobo`] : []),
  ];
  const sentence = `${parts.join(", ")} only`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function numberInWords(number: bigint): string {
  if (number === 0n) return "zero";
  const groups: string[] = [];
  for (let [left, scale] = [number, 0]; left > 0n; left /= 1000n, scale += 1) {
    const group = Number(left % 1000n);
    if (group > 0) groups.unshift(`${hundredsInWords(group)}${scales[scale] ?? ""}`);
  }
  const last = Number(number % 1000n);
  // Two million and five: what is below a hundred is joined on.
  if (groups.length > 1 && last > 0 && last < 100) {
    const end = groups.pop();
    return `${groups.join(", ")} and ${end}`;
  }
  return groups.join(", ");
}

function hundredsInWords(number: number): string {
  const [hundreds, rest] = [Math.floor(number / 100), number % 100];
  const below =
    rest < 20 ? (small[rest] ?? "") : [tens[Math.floor(rest / 10)], small[rest % 10]].filter(Boolean).join("-");
  if (hundreds === 0) return below;
  return `${small[hundreds]} hundred${below === "" ? "" : ` and ${below}`}`;
}
