/** In how many parts a text travels. Each part is paid for. */

/** The letters of GSM 03.38, in its order. Everything else makes a whole text travel in 16-bit letters. */
const plain =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
/** These take two places. */
const extended = "^{}\\[~]|€\f";

const plainLetters = new Set(plain);
const extendedLetters = new Set(extended);

interface Lengths {
  readonly alone: number;
  /** In a chain each part gives some room to its number. */
  readonly chained: number;
}

const sevenBit: Lengths = { alone: 160, chained: 153 };
const sixteenBit: Lengths = { alone: 70, chained: 67 };

export function smsParts(text: string): number {
  const letters = [...text];
  const isPlain = letters.every((letter) => plainLetters.has(letter) || extendedLetters.has(letter));
  const places = isPlain
    ? letters.reduce((sum, letter) => sum + (extendedLetters.has(letter) ? 2 : 1), 0)
    : text.length;
  const { alone, chained } = isPlain ? sevenBit : sixteenBit;
  return places <= alone ? 1 : Math.ceil(places / chained);
}
