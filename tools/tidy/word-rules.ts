/**
 * Phrases that a reader of documents or pages must not meet, each with what to write instead. Only phrases that are
 * wrong in every sentence belong here.
 */
import type { TreeFile } from "./file.ts";

/** Guides, runbooks and the documents at the root. Decisions (docs/adr) keep the words of their day. */
const isDocument = /^(?:docs\/(?!adr\/).+|README|CHANGELOG|SECURITY|CONTRIBUTING|ARCHITECTURE)\.md$/;
const isPage = /^web\/(?:console|plan|checkout|card|shop)\/(?!.*(?:\.test\.tsx$|\/testing\/)).+\.tsx$/;

type Phrase = readonly [phrase: RegExp, instead: string];

const everywhere: readonly Phrase[] = [
  [/took everything/i, "All webhooks delivered"],
  [/nobody is late/i, "No overdue loans"],
  [/\bHow it goes/, "Overview"],
  [/(?:goes|go) on trying/i, "retries"],
  [/hears? of it/i, "is notified"],
  [/(?:lets?|letting) people in/i, "invites users"],
  [/moved house/i, "was moved to another database"],
  [/who has lost/i, "If you lose"],
];

const inDocuments: readonly Phrase[] = [
  [/(?:nothing|what) contradicts/i, "No differences found"],
  [/contradicts? (?:itself|themselves)/i, "has differences"],
  [/what was said/i, "the response"],
  [/(?:stop|move) time/i, "freeze the clock, advance the clock"],
  [/answers with/i, "returns"],
  [/\bwhoever\b/i, "anyone who"],
];

/** A phrase may stand across a line break. Comments of a page are not shown to its reader. */
export function plainWords({ path, text }: TreeFile): string[] {
  if (isDocument.test(path)) return found(path, text, [...everywhere, ...inDocuments]);
  return isPage.test(path) ? found(path, withoutComments(text), everywhere) : [];
}

function found(path: string, text: string, phrases: readonly Phrase[]): string[] {
  const words = text.replace(/\s+/g, " ");
  return phrases.flatMap(([phrase, instead]) => {
    const [said] = phrase.exec(words) ?? [];
    return said === undefined ? [] : [`${path}: "${said}" is not plain English; write "${instead}".`];
  });
}

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
