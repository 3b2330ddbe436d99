import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mayImport } from "./table.ts";

const root = join(import.meta.dirname, "..", "..");

/** The rows of "Who may import whom" as people read them: folder, then what it may import. */
function tableForPeople(): Map<string, string[]> {
  const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const section = text.slice(text.indexOf("### Who may import whom"), text.indexOf("## A payout's journey"));
  const rows = section.matchAll(/^\| ([a-z, ]+) \| ([a-z ]+) \|$/gm);
  return new Map(
    [...rows].flatMap(([, folders = "", imports = ""]) =>
      folders.split(", ").map((folder) => [folder, imports === "nothing" ? [] : imports.split(" ").sort()] as const),
    ),
  );
}

test("the table in ARCHITECTURE.md says of every folder what the check enforces", () => {
  const people = tableForPeople();
  people.delete("folder");
  const folders = readdirSync(join(root, "server", "src"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  for (const folder of folders) expect(people.get(folder), folder).toEqual([...(mayImport[folder] ?? [])].sort());
});
