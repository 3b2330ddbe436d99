/** The filters of a list live in the address: a reload, a bookmark and a colleague see the same rows. */
import { useNavigate } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useId } from "react";
import { Button } from "../parts/button.tsx";
import type { Filter } from "./description.ts";
import { Control, type FieldProps } from "./filter-control.tsx";

interface FilterBarProps {
  readonly filters: readonly Filter[];
  readonly values: Readonly<Record<string, string>>;
}

export function FilterBar({ filters, values }: FilterBarProps) {
  const navigate = useNavigate();
  const set = (name: string, value: string) => {
    const next = Object.fromEntries(
      Object.entries({ ...values, [name]: value.trim() }).filter(([, text]) => text !== ""),
    );
    navigate({ to: ".", search: next, replace: true });
  };
  if (filters.length === 0) return null;
  return (
    <search className="flex flex-wrap items-end gap-2 border-b border-line p-3">
      {filters.map((filter) => (
        <FilterField key={filter.name} filter={filter} value={values[filter.name] ?? ""} onSet={set} />
      ))}
      {Object.keys(values).length === 0 ? null : (
        <Button look="quiet" onClick={() => navigate({ to: ".", search: {}, replace: true })}>
          <X aria-hidden="true" className="size-4" />
          Clear
        </Button>
      )}
    </search>
  );
}

/** Text has room for a reference, a day for its sign; amounts are short. Two stand side by side on a phone. */
function widthOf(kind: Filter["kind"]): string {
  if (kind === "text") return "min-w-32 flex-1 sm:min-w-48 sm:max-w-80";
  return kind === "amount" ? "min-w-28 flex-1 sm:max-w-36" : "min-w-32 flex-1 sm:min-w-42 sm:max-w-48";
}

function FilterField(props: FieldProps) {
  const id = useId();
  const { kind, label } = props.filter;
  return (
    <div className={`grid grid-cols-1 content-start gap-0.5 ${widthOf(kind)}`}>
      <label htmlFor={id} className="text-xs text-soft">
        {label}
      </label>
      <Control {...props} id={id} />
    </div>
  );
}
