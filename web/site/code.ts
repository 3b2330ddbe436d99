/** Examples of code: coloured while the site is built, with the places marked where a reader's own key belongs. */
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import typescript from "highlight.js/lib/languages/typescript";

hljs.registerLanguage("sh", bash);
hljs.registerLanguage("js", javascript);
hljs.registerLanguage("json", json);
hljs.registerLanguage("ts", typescript);

const names: Readonly<Record<string, string>> = { sh: "Shell", js: "JavaScript", ts: "TypeScript", json: "JSON" };

/** What the page's script writes into an example that is read on the machine that the server runs on. */
const fillings = [
  { fill: "base-url", pattern: /\$BASE\b/g },
  { fill: "secret-key", pattern: /\$KEY\b/g },
] as const;

export function renderCode(code: string, info: string): string {
  const language = info.trim().split(/\s+/)[0] ?? "";
  const name = names[language];
  const inner = name === undefined ? escapeText(code) : hljs.highlight(code, { language }).value;
  const label = name ?? "Text";
  return [
    `<pre class="code" data-language="${label}" tabindex="0" role="group" aria-label="${label} example">`,
    `<code>${language === "sh" ? markFillings(inner) : inner}</code></pre>`,
  ].join("");
}

/** The colouring may have put a variable into a span of its own; its text stays together. */
function markFillings(html: string): string {
  return fillings.reduce(
    (text, { fill, pattern }) => text.replaceAll(pattern, (found) => `<span data-fill="${fill}">${found}</span>`),
    html,
  );
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
