import { type ReactNode, useEffect } from "react";

export const stepHeadingId = "step-heading";

interface StepHeadingProps {
  readonly title: string;
  readonly children?: ReactNode;
}

/** What this step is about, and a sentence on what to do. */
export function StepHeading({ title, children }: StepHeadingProps) {
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <header className="step-heading">
      <h1 id={stepHeadingId} tabIndex={-1}>
        {title}
      </h1>
      {children === undefined ? null : <p className="lead">{children}</p>}
    </header>
  );
}
