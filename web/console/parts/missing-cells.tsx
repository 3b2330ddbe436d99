import { DatabaseZap } from "lucide-react";

/** Says above a list that it is not whole; nothing while all databases are there. */
export function MissingCells({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  const which = names.length === 1 ? `The cell ${names[0]}` : `The cells ${names.join(", ")}`;
  return (
    <p role="status" className="flex items-start gap-2 border-b border-line bg-warning-tint px-4 py-3 text-sm">
      <DatabaseZap aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning" />
      <span>
        <strong className="font-semibold">{`${which} cannot be reached.`}</strong> What is kept there is missing below.
      </span>
    </p>
  );
}
