/** A row of the file: who is paid, what is wrong with it, corrected in place. */
import { type FormEvent, useState } from "react";
import { Button } from "../parts/button.tsx";
import { TextField } from "../parts/fields.tsx";
import { naira, words } from "../parts/figures.ts";
import { Money } from "../parts/money.tsx";
import { StatusChip, type Tone } from "../parts/status-chip.tsx";
import type { DraftRow, Field } from "./payout-file.ts";
import type { JudgedRow, Verdict } from "./row-verdict.ts";

const chips: Readonly<Record<Verdict, readonly [string, Tone]>> = {
  correct: ["to correct", "bad"],
  confirm: ["to confirm", "warn"],
  asking: ["asking the bank", "busy"],
  ready: ["ready", "good"],
  out: ["left out", "quiet"],
};

interface BulkRowProps {
  readonly judged: JudgedRow;
  readonly wasPaid: boolean;
  readonly onChange: (draft: DraftRow) => void;
  /** Undefined takes back what was chosen. */
  readonly onChoose: (isIn: boolean | undefined) => void;
}

export function BulkRow({ judged, wasPaid, onChange, onChoose }: BulkRowProps) {
  const { row, answer, mistakes, doubts, verdict } = judged;
  const [isEdited, setEdited] = useState(false);
  const bank = answer !== undefined && "bankName" in answer ? answer.bankName : `bank ${row.bankCode}`;
  const name = answer !== undefined && "name" in answer ? answer.name : row.name;
  const [word, tone] = chips[verdict];
  return (
    <li className="grid gap-2 border-b border-line px-4 py-3 last:border-0">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <span className={`min-w-48 flex-1 ${verdict === "out" ? "text-soft" : ""}`}>
          <span className="font-medium">{name === "" ? row.cells.accountNumber || "No account number" : name}</span>
          <span className="block text-xs text-soft">
            {[`Line ${row.line}`, row.accountNumber, bank, row.reference].filter((part) => part !== "").join(" · ")}
          </span>
        </span>
        <StatusChip status={word} tone={tone} />
        <span className="sm:min-w-28 sm:text-right">
          {Number.isNaN(row.amount) ? row.cells.amount || "–" : <Money amount={row.amount} />}
        </span>
      </div>
      {(isEdited ? [] : mistakes).map(({ text }) => (
        <p key={text} className="text-sm text-danger">
          {text}
        </p>
      ))}
      {wasPaid ? <p className="text-sm text-warning">A batch of the last seven days paid this row.</p> : null}
      {mistakes.length > 0 ? null : <Doubts judged={judged} doubts={doubts} onChoose={onChoose} />}
      {isEdited ? (
        <EditRow
          row={row}
          mistakeOf={(field) => mistakes.find((one) => one.field === field)?.text}
          onDone={(draft) => {
            setEdited(false);
            if (draft !== null) onChange(draft);
          }}
        />
      ) : (
        <div className="flex flex-wrap gap-2">
          {verdict === "correct" || verdict === "confirm" ? (
            <Button onClick={() => setEdited(true)}>{`Correct line ${row.line}`}</Button>
          ) : null}
          {verdict === "out" ? (
            <Button onClick={() => onChoose(undefined)}>{`Put line ${row.line} back`}</Button>
          ) : verdict === "ready" && doubts.length === 0 ? (
            <Button look="quiet" onClick={() => onChoose(false)} aria-label={`Take out line ${row.line}`}>
              Take out
            </Button>
          ) : null}
        </div>
      )}
    </li>
  );
}

interface DoubtsProps {
  readonly judged: JudgedRow;
  readonly doubts: readonly string[];
  /** Undefined takes back what was chosen. */
  readonly onChoose: (isIn: boolean | undefined) => void;
}

/** One tick agrees to all that is doubtful about the row; without it the row is left out. */
function Doubts({ judged: { row, verdict }, doubts, onChoose }: DoubtsProps) {
  if (doubts.length === 0) return null;
  return (
    <label className="flex items-start gap-3 rounded-lg bg-warning-tint p-3 text-sm">
      <input
        type="checkbox"
        className="mt-0.5 size-4"
        checked={verdict === "ready" || verdict === "asking"}
        onChange={(event) => onChoose(event.target.checked ? true : undefined)}
      />
      <span className="grid gap-1">
        {doubts.map((text) => (
          <span key={text}>{text}</span>
        ))}
        <span className="font-medium">{`Pay ${naira(row.amount)} to ${row.accountNumber}`}</span>
      </span>
    </label>
  );
}

interface EditRowProps {
  readonly row: DraftRow;
  readonly mistakeOf: (field: Field) => string | undefined;
  readonly onDone: (draft: DraftRow | null) => void;
}

const editable: readonly Field[] = ["accountNumber", "bankCode", "amount", "name", "reference"];

function EditRow({ row, mistakeOf, onDone }: EditRowProps) {
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const typed = editable.map((field) => [field, String(form.get(field) ?? "").trim()]);
    onDone({ ...row, cells: { ...row.cells, ...Object.fromEntries(typed) } });
  };
  return (
    <form onSubmit={save} className="grid gap-3 rounded-lg bg-sunken p-3 sm:grid-cols-2 lg:grid-cols-5">
      {editable.map((field) => (
        <TextField
          key={field}
          label={words(field)}
          name={field}
          defaultValue={row.cells[field]}
          mistake={mistakeOf(field)}
        />
      ))}
      <div className="flex gap-2 sm:col-span-2 lg:col-span-5">
        <Button type="submit" look="primary">
          Save
        </Button>
        <Button onClick={() => onDone(null)}>Cancel</Button>
      </div>
    </form>
  );
}
