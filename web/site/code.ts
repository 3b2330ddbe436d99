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
const shellFillings = [
  { fill: "base-url", pattern: /\$BASE\b/g },
  { fill: "secret-key", pattern: /\$KEY\b/g },
] as const;

/** In a program it is a string in place of a variable of the environment. The colouring sees a name in its place. */
const programFillings = [
  { fill: "base-url", text: "process.env.JARA_BASE_URL", name: "fillingOfBaseUrl" },
  { fill: "secret-key", text: 'process.env.JARA_SECRET_KEY ?? ""', name: "fillingOfSecretKey" },
] as const;

export function renderCode(code: string, info: string): string {
  const language = info.trim().split(/\s+/)[0] ?? "";
  const name = names[language];
  const label = name ?? "Text";
  return [
    `<pre class="code" data-language="${label}" tabindex="0" role="group" aria-label="${label} example">`,
    `<code>${name === undefined ? escapeText(code) : renderLanguage(code, language)}</code></pre>`,
  ].join("");
}

function renderLanguage(code: string, language: string): string {
  const colour = (text: string): string => hljs.highlight(text, { language }).value;
  if (language === "sh") return markVariables(colour(code));
  return language === "ts" || language === "js" ? markStrings(colour(nameStrings(code))) : colour(code);
}

/** The colouring may have put a variable into a span of its own; its text stays together. */
function markVariables(html: string): string {
  return shellFillings.reduce(
    (text, { fill, pattern }) => text.replaceAll(pattern, (found) => `<span data-fill="${fill}">${found}</span>`),
    html,
  );
}

function nameStrings(code: string): string {
  return programFillings.reduce((all, { text, name }) => all.replaceAll(text, name), code);
}

function markStrings(html: string): string {
  return programFillings.reduce(
    (all, { fill, text, name }) =>
      all.replaceAll(name, `<span data-fill="${fill}" data-quoted>${escapeText(text)}</span>`),
    html,
  );
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
