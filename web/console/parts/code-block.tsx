import type { ReactNode } from "react";
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
        <JsonText text={text} />
      </pre>
    </div>
  );
}

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** JSON with names, texts and figures in colours of their own. */
function JsonText({ text }: { readonly text: string }) {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    const [whole, quoted, colon] = match;
    const colour = quoted === undefined ? "text-warning" : colon === undefined ? "text-brand" : "text-info";
    const word = quoted ?? whole;
    parts.push(text.slice(end, match.index));
    parts.push(
      <span key={match.index} className={colour}>
        {word}
      </span>,
    );
    end = match.index + word.length;
  }
  return (
    <>
      {parts}
      {text.slice(end)}
    </>
  );
}

/** What somebody else's server sent: JSON in colours where it is some, else as it came. */
export function ResponseBlock({ text }: { readonly text: string }) {
  const pretty = prettyJson(text);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard
    <pre tabIndex={0} className="max-h-48 overflow-auto bg-paper p-2 font-mono text-xs break-all whitespace-pre-wrap">
      {pretty === null ? text : <JsonText text={pretty} />}
    </pre>
  );
}

function prettyJson(text: string): string | null {
  try {
    return JSON.stringify(masked(JSON.parse(text)), null, 2);
  } catch {
    return null;
  }
}
