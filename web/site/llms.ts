/** The site for programs that read: a list of its pages (llmstxt.org), and all of them in one text. */
import type { Reading } from "./markdown.ts";
import { addressOf, groups, isPage } from "./pages.ts";

const opening = `# Jara

> Self-hosted merchant financial services for Nigeria: payouts, bills, loans, checkout on credit and wallets behind one
> API, with signed webhooks and a sandbox that behaves like the world.

Amounts are naira. Authenticate with \`Authorization: Bearer sk_test_…\`. Every error has a stable \`code\`.
`;

export function llmsText(readings: readonly Reading[]): string {
  const titles = new Map(readings.map(({ page, title }) => [page.slug, title]));
  const sections = groups.map(({ title, entries }) => {
    const lines = entries.map((entry) => {
      const name = isPage(entry) ? (titles.get(entry.slug) ?? entry.label) : entry.label;
      return `- [${name}](${addressOf(entry)}): ${entry.summary}`;
    });
    return `## ${title}\n\n${lines.join("\n")}\n`;
  });
  const machines = [
    "## For programs\n",
    "- [OpenAPI document](/openapi.json): every endpoint, OpenAPI 3.1.",
    "- [Postman collection](/docs/postman.json): the same as a collection, version 2.1.",
    "- [Everything in one text](/llms-full.txt): all pages of this site.",
  ];
  return [opening, ...sections, `${machines.join("\n")}\n`].join("\n");
}

export function llmsFullText(readings: readonly Reading[]): string {
  return [opening, ...readings.map(({ markdown }) => `${markdown.trim()}\n`)].join("\n---\n\n");
}
