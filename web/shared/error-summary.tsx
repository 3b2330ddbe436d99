import { useEffect, useRef } from "react";

export interface FieldComplaint {
  /** The id of the input. */
  readonly field: string;
  readonly text: string;
}

interface ErrorSummaryProps {
  readonly complaints: readonly FieldComplaint[];
  /** Grows with every attempt, so that a second failed attempt is told like the first. */
  readonly attempt: number;
}

/** Everything that is wrong with a form, in one place that takes the focus; each line leads to its field. */
export function ErrorSummary({ complaints, attempt }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (attempt > 0) box.current?.focus();
  }, [attempt]);
  if (complaints.length === 0) return null;
  return (
    <div className="notice notice-problem error-summary" role="alert" tabIndex={-1} ref={box}>
      <div>
        <p className="notice-title">
          {complaints.length === 1 ? "One thing is not right yet" : "Some things are not right yet"}
        </p>
        <ul>
          {complaints.map(({ field, text }) => (
            <li key={field}>
              <a
                href={`#${field}`}
                onClick={(event) => {
                  // The address keeps the page's token after its #, so the link must not replace it.
                  event.preventDefault();
                  document.getElementById(field)?.focus();
                }}
              >
                {text}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
