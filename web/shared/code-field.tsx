import { useEffect, useRef } from "react";
import type { ApiProblem } from "./call-api.ts";

interface CodeFieldProps {
  readonly value: string;
  readonly complaint: string | null;
  /** The server refused the last code; its notice says why. */
  readonly refusal: ApiProblem | null;
  onChange(value: string): void;
}

/** One field, not six: it can be pasted into, filled in from the SMS, and is read out as one. */
export function CodeField({ value, complaint, refusal, onChange }: CodeFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (complaint !== null || refusal !== null) input.current?.focus();
  }, [complaint, refusal]);
  return (
    <div className="field code-field">
      <label htmlFor="code">6-digit code</label>
      <input
        id="code"
        ref={input}
        name="otp"
        type="text"
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="[0-9]*"
        value={value}
        aria-invalid={complaint !== null || refusal !== null}
        aria-describedby={complaint === null ? undefined : "code-error"}
        onChange={(event) => onChange(event.target.value.replaceAll(/\D/g, "").slice(0, 6))}
      />
      {complaint === null ? null : (
        <p id="code-error" className="field-error" role="alert">
          {complaint}
        </p>
      )}
    </div>
  );
}
