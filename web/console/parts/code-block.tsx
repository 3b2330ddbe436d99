import { CopyButton } from "./copy-button.tsx";
import { masked } from "./figures.ts";

/** A record as JSON. Numbers that identify a person are cut before they reach the page, and the clipboard. */
export function JsonBlock({ value, label }: { readonly value: unknown; readonly label: string }) {
  const text = JSON.stringify(masked(value), null, 2);
  return (
    <div className="relative">
      <div className="absolute top-2 right-2">
        <CopyButton text={text} label={`Copy ${label}`} bare />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard */}
      <pre tabIndex={0} className="max-h-[32rem] overflow-auto bg-sunken p-4 font-mono text-xs">
        {text}
      </pre>
    </div>
  );
}
