export function chooseSuite(root: string, words: readonly string[]): string[];
export function changedFiles(root: string, since: string): string[];
export function chosenBy(files: readonly string[]): string[];
