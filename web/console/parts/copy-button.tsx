import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "./button.tsx";

interface CopyProps {
  readonly text: string;
  readonly label: string;
  /** Shows the sign alone; the label is read out. */
  readonly bare?: boolean;
}

export function CopyButton({ text, label, bare = false }: CopyProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => navigator.clipboard.writeText(text).then(() => setCopied(true));
  const Sign = copied ? Check : Copy;
  return (
    <Button look={bare ? "quiet" : "plain"} onClick={copy} className={bare ? "min-h-7 px-1.5" : ""}>
      <Sign aria-hidden="true" className="size-4" />
      <span className={bare ? "sr-only" : ""} aria-live="polite">
        {copied ? "Copied" : label}
      </span>
    </Button>
  );
}
