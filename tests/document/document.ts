/** The OpenAPI documents as they lie in the repository; `npm run check:generated` keeps them equal to the server's. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";

export const root = join(import.meta.dirname, "..", "..");

export const documents = ["docs/openapi.json", "docs/openapi.operator.json"] as const;

export async function readDocument(path: string): Promise<string> {
  return readFile(join(root, path), "utf8");
}
