/**
 * Grouping digits moves the text under the caret. React puts the caret at the end whenever the value it sets is not
 * the one that was typed, which makes it impossible to correct a digit in the middle.
 */
import { type ChangeEvent, useLayoutEffect, useRef } from "react";

interface Caret {
  readonly input: HTMLInputElement;
  /** How many digits stand before it. */
  readonly digits: number;
}

export function useCaret(): (event: ChangeEvent<HTMLInputElement>) => void {
  const caret = useRef<Caret | null>(null);
  useLayoutEffect(() => {
    if (caret.current === null) return;
    const { input, digits } = caret.current;
    caret.current = null;
    const place = placeAfter(input.value, digits);
    input.setSelectionRange(place, place);
  });
  return ({ target }) => {
    const before = target.value.slice(0, target.selectionStart ?? target.value.length);
    caret.current = { input: target, digits: before.replaceAll(/\D/g, "").length };
  };
}

function placeAfter(text: string, digits: number): number {
  let seen = 0;
  for (let place = 0; place < text.length; place += 1) {
    if (seen === digits) return place;
    if (/\d/.test(text.charAt(place))) seen += 1;
  }
  return text.length;
}
