/** Generated files: how they are described, laid out, compared with what is there, and written. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

export interface Product {
  /** From the root of the repository. */
  readonly path: string;
  make(ownerUrl: string): Promise<string> | string;
}

/** Members are written on lines of their own down to this depth: in an OpenAPI document, `paths` / path / operation. */
const deepest = 3;

/**
 * JSON with one line for each operation, webhook, schema and so on, so that a diff shows an operation at a time. A list
 * or an object that holds only plain values stays on one line.
 */
export function jsonByLines(value: object): string {
  // Read again first: what JSON leaves out, such as undefined, is gone then.
  return `${lines(JSON.parse(JSON.stringify(value)), 0)}\n`;
}

function lines(value: unknown, depth: number): string {
  if (depth === deepest || typeof value !== "object" || value === null) return JSON.stringify(value);
  const isPlain = Object.values(value).every((member) => typeof member !== "object" || member === null);
  if (isPlain) return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const name = (key: string) => (Array.isArray(value) ? "" : `${JSON.stringify(key)}: `);
  const indent = "  ".repeat(depth);
  const members = Object.entries(value).map(([key, member]) => `${indent}  ${name(key)}${lines(member, depth + 1)}`);
  return `${open}\n${members.join(",\n")}\n${indent}${close}`;
}

/** Undefined when the file is as it should be; otherwise the first line that differs. */
export async function findDifference(root: string, path: string, wanted: string): Promise<string | undefined> {
  const found = await readOrEmpty(join(root, path));
  if (found === wanted) return undefined;
  const wantedLines = wanted.split("\n");
  const foundLines = found.split("\n");
  const line = wantedLines.findIndex((text, index) => text !== foundLines[index]);
  const place = line === -1 ? wantedLines.length : line;
  const [is, shouldBe] = [foundLines[place], wantedLines[place]];
  const from = firstDifference(is ?? "", shouldBe ?? "");
  return `${path}:${place + 1}: is ${excerpt(is, from)}, should be ${excerpt(shouldBe, from)}`;
}

function firstDifference(text: string, other: string): number {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at += 1;
  return at;
}

/** A line may have thousands of characters: what stands around the place where it differs. */
function excerpt(line: string | undefined, differsAt: number): string {
  const start = Math.max(0, differsAt - 80);
  return JSON.stringify(line === undefined ? "(nothing)" : `${start > 0 ? "…" : ""}${line.slice(start, start + 200)}`);
}

export async function writeProduct(root: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

async function readOrEmpty(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}
