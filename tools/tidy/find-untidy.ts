import { code, nothingPutOff } from "./code-rules.ts";
import { documentsNameFiles, documentsNameNoTag, readmeNamesFiles } from "./document-rules.ts";
import type { TreeFile } from "./file.ts";
import { functionLength, generatedFilesSaySo, lineLength, migrationNames, names } from "./shape-rules.ts";
import { plainWords } from "./word-rules.ts";

const rules = [
  lineLength,
  functionLength,
  names,
  generatedFilesSaySo,
  code,
  nothingPutOff,
  documentsNameNoTag,
  plainWords,
];
const treeRules = [migrationNames, readmeNamesFiles, documentsNameFiles];

export function findUntidy(files: readonly TreeFile[]): string[] {
  return [...files.flatMap((file) => rules.flatMap((rule) => rule(file))), ...treeRules.flatMap((rule) => rule(files))];
}
