import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { copyText } from "../../shared/clipboard.ts";
import { Button } from "./button.tsx";

interface CopyProps {
  readonly text: string;
  readonly label: string;
  /** Shows the sign alone; the label is read out. */
  readonly bare?: boolean;
}

export function CopyButton({ text, label, bare = false }: CopyProps) {
  const [outcome, setOutcome] = useState<"Copied" | "Select it and copy">();
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), 1_500);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => setOutcome((await copyText(text)) ? "Copied" : "Select it and copy");
  const Sign = outcome === "Copied" ? Check : Copy;
  return (
    <Button look={bare ? "quiet" : "plain"} onClick={copy} className={bare ? "min-h-7 px-1.5" : ""}>
      <Sign aria-hidden="true" className="size-4" />
      <span className={bare && outcome !== "Select it and copy" ? "sr-only" : ""} aria-live="polite">
        {outcome ?? label}
      </span>
    </Button>
  );
}
