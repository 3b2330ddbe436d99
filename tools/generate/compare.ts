import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Undefined when the file is as it should be; otherwise the first line that differs. */
export async function findDifference(root: string, path: string, wanted: string): Promise<string | undefined> {
  const found = await readOrEmpty(join(root, path));
  if (found === wanted) return undefined;
  const wantedLines = wanted.split("\n");
  const foundLines = found.split("\n");
  const line = wantedLines.findIndex((text, index) => text !== foundLines[index]);
  const place = line === -1 ? wantedLines.length : line;
  const quote = (lines: readonly string[]) => JSON.stringify(lines[place]?.slice(0, 200) ?? "(nothing)");
  return `${path}:${place + 1}: is ${quote(foundLines)}, should be ${quote(wantedLines)}`;
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
