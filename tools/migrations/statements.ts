/** The statements of a migration, enough of SQL to tell them apart: comments, strings and bodies are left out. */
export interface Statement {
  /** In lower case, with single spaces; what was in quotes is gone. */
  readonly text: string;
  /** The line it begins on, from 1. */
  readonly line: number;
}

/** A comment, a body between dollars, or a string. */
const aside = /--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'/g;

export function readStatements(sql: string): Statement[] {
  // What is blanked keeps its length and its line ends, so that places stay right.
  const plain = sql.replace(aside, (found) => found.replace(/[^\n]/g, " "));
  const statements: Statement[] = [];
  let from = 0;
  for (const part of plain.split(";")) {
    const begin = from + part.length - part.trimStart().length;
    const text = part.trim().replace(/\s+/g, " ").toLowerCase();
    if (text !== "") statements.push({ text, line: plain.slice(0, begin).split("\n").length });
    from += part.length + 1;
  }
  return statements;
}
