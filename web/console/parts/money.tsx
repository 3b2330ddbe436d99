import { naira } from "./figures.ts";

interface MoneyProps {
  readonly amount: number | string | null;
  /** A debit or a credit, told by its sign. */
  readonly direction?: "debit" | "credit";
  readonly className?: string;
}

/** An amount as it stands in a column: to the kobo, figures of one width, never broken over two lines. */
export function Money({ amount, direction, className = "" }: MoneyProps) {
  if (amount === null) return <span className="text-soft">–</span>;
  const sign = direction === undefined ? "" : direction === "debit" ? "−" : "+";
  const tone = direction === "credit" ? "text-brand" : "";
  return <span className={`whitespace-nowrap tabular-nums ${tone} ${className}`}>{`${sign}${naira(amount)}`}</span>;
}
