/**
 * `npm run figures` prints the figures that show how simple the code is. `npm run figures -- <commit>` prints those of
 * the commit next to them.
 */
import { join } from "node:path";
import { figureTable, measure } from "./measure.ts";
import { readFolder, readRevision, type SourceTree } from "./source-tree.ts";

const root = join(import.meta.dirname, "..", "..");
const revision = process.argv[2];
const trees: readonly (readonly [string, SourceTree])[] = [
  ...(revision === undefined ? [] : [[revision, readRevision(root, revision)] as const]),
  ["here", readFolder(root)],
];
console.log(figureTable(trees.map(([title, tree]) => ({ title, figures: measure(tree) }))));
