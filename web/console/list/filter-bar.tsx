/**
 * The filters of a list live in the address: a reload, a bookmark and a colleague see the same rows. Search by text is
 * always there; the other filters are behind one button, and each that is set stands as a chip that takes it away.
 */
import type { Bank } from "@jara/sdk";
import { useNavigate } from "@tanstack/react-router";
import { ListFilter, X } from "lucide-react";
import { useId, useState } from "react";
import { useRecord } from "../api/queries.ts";
import { Button } from "../parts/button.tsx";
import { chipText } from "./chip-text.ts";
import type { Filter } from "./description.ts";
import { Control, type FieldProps } from "./filter-control.tsx";

interface FilterBarProps {
  readonly filters: readonly Filter[];
  readonly values: Readonly<Record<string, string>>;
}

export function FilterBar({ filters, values }: FilterBarProps) {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const panel = useId();
  const set = (name: string, value: string) => {
    const next = Object.fromEntries(
      Object.entries({ ...values, [name]: value.trim() }).filter(([, text]) => text !== ""),
    );
    navigate({ to: ".", search: next, replace: true });
  };
  if (filters.length === 0) return null;
  const texts = filters.filter(({ kind }) => kind === "text");
  const folded = filters.filter(({ kind }) => kind !== "text");
  const active = folded.filter(({ name }) => values[name] !== undefined);
  const fieldOf = (filter: Filter) => (
    <FilterField key={filter.name} filter={filter} value={values[filter.name] ?? ""} onSet={set} />
  );
  return (
    <search className="grid gap-2 border-b border-line p-3">
      <div className="flex flex-wrap items-center gap-2">
        {texts.map(fieldOf)}
        {folded.length === 0 ? null : (
          <Button onClick={() => setOpen(!isOpen)} aria-expanded={isOpen} aria-controls={panel} className="min-h-10">
            <ListFilter aria-hidden="true" className="size-4" />
            Filter
          </Button>
        )}
        {active.map((filter) => (
          <Chip key={filter.name} filter={filter} value={values[filter.name] ?? ""} onSet={set} />
        ))}
        {Object.keys(values).length === 0 ? null : (
          <Button look="quiet" onClick={() => navigate({ to: ".", search: {}, replace: true })}>
            Clear
          </Button>
        )}
      </div>
      {isOpen ? (
        <div id={panel} className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
          {folded.map(fieldOf)}
        </div>
      ) : null}
    </search>
  );
}

function Chip({ filter, value, onSet }: FieldProps) {
  const banks = useRecord<readonly Bank[]>("/transfers/banks", { enabled: filter.kind === "bank" });
  const text = chipText(filter, value, banks.data ?? []);
  return (
    <button
      type="button"
      onClick={() => onSet(filter.name, "")}
      className="inline-flex min-h-8 max-w-full items-center gap-1.5 rounded-full bg-brand-tint py-1 pr-2 pl-3 text-sm
        text-brand-strong hover:bg-hover"
    >
      <span className="min-w-0 truncate">{text}</span>
      <X aria-hidden="true" className="size-3.5 shrink-0" />
      <span className="sr-only">, remove this filter</span>
    </button>
  );
}

/** Text has room for a reference, a day for its sign; amounts are short. */
function widthOf(kind: Filter["kind"]): string {
  if (kind === "text") return "min-w-40 flex-1 sm:max-w-80";
  return kind === "amount" ? "sm:w-36" : "sm:w-44";
}

function FilterField(props: FieldProps) {
  const id = useId();
  const { kind, label } = props.filter;
  return (
    <div className={`grid min-w-0 grid-cols-1 content-start gap-0.5 ${widthOf(kind)}`}>
      <label htmlFor={id} className={kind === "text" ? "sr-only" : "text-xs text-soft"}>
        {label}
      </label>
      <Control {...props} id={id} />
    </div>
  );
}
