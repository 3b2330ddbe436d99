import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mayImport, mayImportInside } from "./table.ts";

const root = join(import.meta.dirname, "..", "..");

/** The rows of "Import rules" as people read them: folder, then what it may import. */
function tablesForPeople(): Map<string, string[]> {
  const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const section = text.slice(text.indexOf("### Import rules"), text.indexOf("## Life of a payout"));
  const rows = section.matchAll(/^\| ([a-z/*., -]+) \| ([a-z/ -]+) \|$/gm);
  return new Map(
    [...rows].flatMap(([, folders = "", imports = ""]) =>
      folders.split(", ").map((folder) => [folder, imports === "nothing" ? [] : imports.split(" ").sort()] as const),
    ),
  );
}

test("the table in ARCHITECTURE.md says of every folder what the check enforces", () => {
  const people = tablesForPeople();
  const roots = ["start", "programs"];
  for (const folder of foldersOf("server/src").filter((each) => !roots.includes(each))) {
    expect(people.get(folder), folder).toEqual([...(mayImport[folder] ?? [])].sort());
  }
});

test.each(Object.entries(mayImportInside))("so it does of every folder of %s", (domain, rows) => {
  const people = tablesForPeople();
  for (const folder of foldersOf(`server/src/${domain}`)) {
    expect(people.get(`${domain}/${folder}`), folder).toEqual([...(rows[folder] ?? [])].sort());
  }
  expect(people.get(`${domain}/*.ts`), domain).toEqual([...(rows[domain] ?? [])].sort());
});

function foldersOf(path: string): string[] {
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}
