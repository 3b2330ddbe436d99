const units = [
  [1_000_000_000, "bn"],
  [1_000_000, "m"],
  [1_000, "k"],
] as const;

/** ₦1.2m, for the edge of a chart only: whoever needs the figure finds it in the table below. */
export function shortNaira(value: number): string {
  for (const [size, unit] of units) {
    if (value >= size) return `₦${Math.floor((value / size) * 10) / 10}${unit}`;
  }
  return `₦${Math.floor(value * 100) / 100}`;
}
