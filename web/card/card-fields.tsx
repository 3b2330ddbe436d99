import { TextField } from "../shared/text-field.tsx";
import { brandOf, type CardComplaints, type CardEntry, groupCvv, groupExpiry, groupNumber } from "./card-entry.ts";
import { useCaret } from "./use-caret.ts";

interface CardFieldsProps {
  readonly entry: CardEntry;
  readonly complaints: CardComplaints;
  onChange(entry: CardEntry): void;
}

export function CardFields({ entry, complaints, onChange }: CardFieldsProps) {
  const keepCaret = useCaret();
  return (
    <div className="card-fields">
      <TextField
        id="card-number"
        label="Card number"
        inputMode="numeric"
        autoComplete="cc-number"
        value={entry.number}
        complaint={complaints.number}
        mark={brandOf(entry.number) ?? undefined}
        onInput={(text, event) => {
          keepCaret(event);
          onChange({ ...entry, number: groupNumber(text) });
        }}
      />
      <div className="field-row">
        <TextField
          id="card-expiry"
          label="Expiry date"
          placeholder="MM / YY"
          inputMode="numeric"
          autoComplete="cc-exp"
          value={entry.expiry}
          complaint={complaints.expiry}
          onInput={(text) => onChange({ ...entry, expiry: groupExpiry(text) })}
        />
        <TextField
          id="card-cvv"
          label="Security code"
          placeholder="CVV"
          inputMode="numeric"
          autoComplete="cc-csc"
          value={entry.cvv}
          complaint={complaints.cvv}
          onInput={(text) => onChange({ ...entry, cvv: groupCvv(text) })}
        />
      </div>
    </div>
  );
}
