/** What a filter is set with: words, one or several of a list, a bank, an amount, a day. */
import type { Bank } from "@jara/sdk";
import { Check, ChevronDown, Search } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { type FormEvent, useEffect, useRef } from "react";
import { plainAmount } from "../../shared/naira.ts";
import { useRecord } from "../api/queries.ts";
import { words } from "../parts/figures.ts";
import type { Filter } from "./description.ts";

export interface FieldProps {
  readonly filter: Filter;
  readonly value: string;
  readonly onSet: (name: string, value: string) => void;
}

type ControlProps = FieldProps & { readonly id: string };

export function Control(props: ControlProps) {
  const { id, filter, value, onSet } = props;
  if (filter.kind === "choices") return <ManyChoices {...props} />;
  if (filter.kind === "bank") return <BankFilter {...props} />;
  if (filter.kind === "choice") {
    return <Choices {...props} options={(filter.options ?? []).map((option) => [option, words(option)] as const)} />;
  }
  if (filter.kind === "day") {
    return (
      <input
        id={id}
        type="date"
        className="field"
        value={value}
        onChange={(event) => onSet(filter.name, event.target.value)}
      />
    );
  }
  return <TextFilter {...props} />;
}

type ChoicesProps = ControlProps & { readonly options: readonly (readonly [value: string, text: string])[] };

function Choices({ id, filter, value, onSet, options }: ChoicesProps) {
  return (
    <select id={id} className="field" value={value} onChange={(event) => onSet(filter.name, event.target.value)}>
      <option value="">All</option>
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  );
}

function BankFilter(props: ControlProps) {
  const { data: banks = [] } = useRecord<readonly Bank[]>("/transfers/banks");
  return <Choices {...props} options={banks.map(({ code, name }) => [code, name] as const)} />;
}

const line =
  "flex min-h-9 cursor-pointer items-center gap-2 rounded-md px-2 outline-none data-[highlighted]:bg-brand-tint data-[highlighted]:text-brand-strong";

/** Several at once. The list stays open while a person chooses, and within the search, so that both are read together. */
function ManyChoices({ id, filter, value, onSet }: ControlProps) {
  const chosen = value === "" ? [] : value.split(",");
  const toggle = (option: string, isOn: boolean) => {
    const next = (filter.options ?? []).filter((one) => (one === option ? isOn : chosen.includes(one)));
    onSet(filter.name, next.join(","));
  };
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger id={id} className="field flex items-center justify-between gap-2 text-left">
        <span className="truncate">{chosenText(chosen)}</span>
        <ChevronDown aria-hidden="true" className="size-4 shrink-0 text-soft" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Content
        align="start"
        sideOffset={4}
        className="card z-50 min-w-44 p-1.5 shadow-xl"
        aria-label={filter.label}
      >
        {(filter.options ?? []).map((option) => (
          <DropdownMenu.CheckboxItem
            key={option}
            className={line}
            checked={chosen.includes(option)}
            onCheckedChange={(isOn) => toggle(option, isOn)}
            onSelect={(event) => event.preventDefault()}
          >
            <span className="grid size-4 place-items-center rounded border border-strong">
              <DropdownMenu.ItemIndicator>
                <Check aria-hidden="true" className="size-3.5" />
              </DropdownMenu.ItemIndicator>
            </span>
            {words(option)}
          </DropdownMenu.CheckboxItem>
        ))}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}

function chosenText(chosen: readonly string[]): string {
  const [first, ...others] = chosen;
  if (first === undefined) return "All";
  return others.length === 0 ? words(first) : `${words(first)} + ${others.length}`;
}

/** Searches on Enter, or when the field is left: the server is not asked for every letter. */
function TextFilter({ id, filter, value, onSet }: ControlProps) {
  const isAmount = filter.kind === "amount";
  const read = (text: string) => (isAmount ? plainAmount(text) : text.trim());
  const input = useRef<HTMLInputElement>(null);
  // The address is the truth, also after Clear or the browser's Back. The field stays, and with it the focus.
  useEffect(() => {
    if (input.current !== null) input.current.value = value;
  }, [value]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSet(filter.name, read(String(new FormData(event.currentTarget).get("text") ?? "")));
  };
  return (
    <form onSubmit={submit} className="relative">
      {isAmount ? null : (
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-soft"
        />
      )}
      <input
        ref={input}
        id={id}
        name="text"
        type={isAmount ? "text" : "search"}
        inputMode={isAmount ? "decimal" : "search"}
        placeholder={isAmount ? "₦" : filter.label}
        className={`field ${isAmount ? "tabular-nums" : "pl-8"}`}
        defaultValue={value}
        onBlur={(event) => read(event.target.value) !== value && onSet(filter.name, read(event.target.value))}
      />
    </form>
  );
}
