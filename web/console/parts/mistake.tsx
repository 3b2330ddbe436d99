import type { ReactNode } from "react";

/** What went wrong, above the form that it went wrong in. */
export function Mistake({ children }: { readonly children: ReactNode }) {
  if (children === undefined) return null;
  return (
    <p role="alert" className="rounded-lg bg-danger-tint p-3 text-sm text-danger">
      {children}
    </p>
  );
}
