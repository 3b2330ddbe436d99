import { Icon } from "../shared/icons.tsx";

interface ConsentBoxProps {
  readonly statement: string;
  readonly ticked: boolean;
  readonly complaint: string | null;
  onChange(ticked: boolean): void;
}

/** Never ticked by us: the customer does it, after reading. */
export function ConsentBox({ statement, ticked, complaint, onChange }: ConsentBoxProps) {
  return (
    <div className="consent-box">
      <label className={complaint === null ? "tick" : "tick tick-wrong"}>
        <input
          id="agree"
          type="checkbox"
          checked={ticked}
          aria-invalid={complaint !== null}
          aria-describedby={complaint === null ? undefined : "agree-error"}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span>{statement}</span>
      </label>
      {complaint === null ? null : (
        <p id="agree-error" className="field-error" role="alert">
          <Icon name="warning" />
          <span>{complaint}</span>
        </p>
      )}
    </div>
  );
}
