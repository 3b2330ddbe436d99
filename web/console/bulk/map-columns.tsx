import { useState } from "react";
import { Button } from "../parts/button.tsx";
import { ChoiceField } from "../parts/fields.tsx";
import { words } from "../parts/figures.ts";
import {
  type DraftRow,
  draftRows,
  type Field,
  fields,
  guessMapping,
  type Mapping,
  type TableRow,
} from "./payout-file.ts";

interface MapColumnsProps {
  readonly table: readonly TableRow[];
  readonly onDone: (rows: DraftRow[]) => void;
}

const needed: readonly Field[] = ["accountNumber", "bankCode", "amount"];

/** Whether it is known where everything stands that a payout needs. */
export function isClear(mapping: Mapping): boolean {
  return needed.every((field) => mapping[field] !== null);
}

export function MapColumns({ table, onDone }: MapColumnsProps) {
  const [head, ...rows] = table;
  const titles = head?.cells ?? [];
  const [mapping, setMapping] = useState<Mapping>(() => guessMapping(titles));
  const example = rows[0]?.cells ?? [];
  return (
    <section className="card grid max-w-3xl gap-4 p-5">
      <h2 className="font-semibold">Which column is which?</h2>
      <div className="grid gap-4 sm:grid-cols-2">
        {fields.map((field) => {
          const column = mapping[field];
          return (
            <ChoiceField
              key={field}
              label={words(field)}
              value={column ?? ""}
              hint={
                column === null ? (needed.includes(field) ? "Required." : "Optional.") : `Such as ${example[column]}`
              }
              onChange={({ target }) =>
                setMapping({ ...mapping, [field]: target.value === "" ? null : Number(target.value) })
              }
            >
              <option value="">Not in the file</option>
              {titles.map((title, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one title
                <option key={index} value={index}>
                  {title}
                </option>
              ))}
            </ChoiceField>
          );
        })}
      </div>
      <div>
        <Button look="primary" disabled={!isClear(mapping)} onClick={() => onDone(draftRows(rows, mapping))}>
          Check {rows.length} rows
        </Button>
      </div>
    </section>
  );
}
