/** Moves focus to the heading of a step when the step changes: a screen reader and the keyboard go on from there. */
import { useEffect, useRef } from "react";
import { stepHeadingId } from "./step-heading.tsx";

export function useStepFocus(step: string): void {
  const shown = useRef<string | null>(null);
  useEffect(() => {
    // The first step is where the browser begins anyway.
    if (shown.current !== null && shown.current !== step) {
      document.getElementById(stepHeadingId)?.focus({ preventScroll: true });
      window.scrollTo({ top: 0 });
    }
    shown.current = step;
  }, [step]);
}
