import { useState } from "react";
import { Button } from "../parts/button.tsx";
import { ChoiceField } from "../parts/fields.tsx";
import { words } from "../parts/figures.ts";
import {
  type Field,
  fields,
  guessMapping,
  type Mapping,
  type PayoutRow,
  readRows,
  type TableRow,
} from "./payout-file.ts";

interface MapColumnsProps {
  readonly table: readonly TableRow[];
  readonly batch: string;
  readonly onDone: (rows: PayoutRow[]) => void;
}

const needed: readonly Field[] = ["accountNumber", "bankCode", "amount"];

export function MapColumns({ table, batch, onDone }: MapColumnsProps) {
  const [head, ...rows] = table;
  const titles = head?.cells ?? [];
  const [mapping, setMapping] = useState<Mapping>(() => guessMapping(titles));
  const isReady = needed.every((field) => mapping[field] !== null);
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
                column === null
                  ? needed.includes(field)
                    ? "Needed."
                    : "May be left out."
                  : `Such as ${example[column]}`
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
        <Button look="primary" disabled={!isReady} onClick={() => onDone(readRows(rows, mapping, batch))}>
          Check {rows.length} rows
        </Button>
      </div>
    </section>
  );
}
