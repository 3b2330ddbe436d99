/** The filters of a list live in the address: a reload, a bookmark and a colleague see the same rows. */
import { useNavigate } from "@tanstack/react-router";
import { Search, X } from "lucide-react";
import { type FormEvent, useId } from "react";
import { Button } from "../parts/button.tsx";
import { words } from "../parts/figures.ts";
import type { Filter } from "./description.ts";

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

interface FieldProps {
  readonly filter: Filter;
  readonly value: string;
  readonly onSet: (name: string, value: string) => void;
}

function FilterField({ filter, value, onSet }: FieldProps) {
  const id = useId();
  return (
    <div
      className={`grid gap-0.5
        ${filter.kind === "text" ? "min-w-48 flex-1 sm:max-w-80" : "min-w-32 flex-1 sm:flex-none"}`}
    >
      <label htmlFor={id} className="text-xs text-soft">
        {filter.label}
      </label>
      {filter.kind === "choice" ? (
        <select id={id} className="field" value={value} onChange={(event) => onSet(filter.name, event.target.value)}>
          <option value="">All</option>
          {filter.options.map((option) => (
            <option key={option} value={option}>
              {words(option)}
            </option>
          ))}
        </select>
      ) : filter.kind === "day" ? (
        <input
          id={id}
          type="date"
          className="field"
          value={value}
          onChange={(event) => onSet(filter.name, event.target.value)}
        />
      ) : (
        <TextFilter key={value} id={id} filter={filter} value={value} onSet={onSet} />
      )}
    </div>
  );
}

/** Searches on Enter, or when the field is left: the server is not asked for every letter. */
function TextFilter({ id, filter, value, onSet }: FieldProps & { readonly id: string }) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSet(filter.name, String(new FormData(event.currentTarget).get("text") ?? ""));
  };
  return (
    <form onSubmit={submit} className="relative">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-soft"
      />
      <input
        id={id}
        name="text"
        type="search"
        className="field pl-8"
        defaultValue={value}
        onBlur={(event) => event.target.value.trim() !== value && onSet(filter.name, event.target.value)}
      />
    </form>
  );
}
