import type { ChangeEvent, HTMLInputAutoCompleteAttribute, ReactNode } from "react";
import { Icon } from "./icons.tsx";

interface TextFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly complaint?: string | undefined;
  readonly hint?: string;
  readonly type?: "text" | "email" | "tel";
  readonly inputMode?: "text" | "numeric" | "decimal" | "email" | "tel";
  readonly autoComplete?: HTMLInputAutoCompleteAttribute;
  readonly maxLength?: number;
  readonly placeholder?: string;
  /** Drawn at the end of the field. */
  readonly mark?: ReactNode;
  onInput(value: string, event: ChangeEvent<HTMLInputElement>): void;
}

export function TextField(props: TextFieldProps) {
  const { id, label, value, complaint, hint, mark, onInput, type = "text", ...rest } = props;
  const notes = [hint === undefined ? null : `${id}-hint`, complaint === undefined ? null : `${id}-error`];
  const describedBy = notes.filter((note) => note !== null).join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
      <div className="field-box">
        <input
          {...rest}
          id={id}
          type={type}
          value={value}
          spellCheck={false}
          aria-invalid={complaint !== undefined}
          aria-describedby={describedBy === "" ? undefined : describedBy}
          onChange={(event) => onInput(event.target.value, event)}
        />
        {mark === undefined ? null : <span className="field-mark">{mark}</span>}
      </div>
      {complaint === undefined ? null : (
        <p id={`${id}-error`} className="field-error">
          <Icon name="warning" />
          <span>{complaint}</span>
        </p>
      )}
    </div>
  );
}
