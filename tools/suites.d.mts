export function chooseSuite(root: string, words: readonly string[]): string[];
