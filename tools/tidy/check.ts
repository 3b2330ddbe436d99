/** `npm run check:tidy`: the house rules that a program can check. */
import { join } from "node:path";
import { readTree } from "./file.ts";
import { findUntidy } from "./find-untidy.ts";

const files = readTree(join(import.meta.dirname, "..", ".."));
const findings = findUntidy(files);
for (const finding of findings) console.error(finding);
console.log(`Tidy: ${files.length} files, ${findings.length} findings.`);
process.exitCode = findings.length === 0 ? 0 : 1;
