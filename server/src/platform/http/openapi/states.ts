/** Draws a state machine from its transition table, so that the reference cannot show another one than the code has. */
export function drawStates(
  what: string,
  transitions: Readonly<Record<string, readonly string[]>>,
  meaning = "",
): string {
  const widest = Math.max(...Object.keys(transitions).map((state) => state.length));
  const moves = Object.entries(transitions).filter(([, next]) => next.length > 0);
  const ends = Object.entries(transitions).filter(([, next]) => next.length === 0);
  const lines = moves.flatMap(([from, next]) =>
    next.map((to, place) => {
      const start = place === 0 ? from.padEnd(widest) : " ".repeat(widest);
      const branch = next.length === 1 ? "──▶" : place === 0 ? "─┬▶" : place === next.length - 1 ? " └▶" : " ├▶";
      return `${start} ${branch} ${to}`;
    }),
  );
  const final = ends.length === 0 ? "" : `\n\nFinal: ${ends.map(([state]) => `\`${state}\``).join(", ")}.`;
  const said = meaning === "" ? "" : `\n\n${meaning}`;
  return `### States of ${what}\n\n\`\`\`text\n${lines.join("\n")}\n\`\`\`${final}${said}`;
}
