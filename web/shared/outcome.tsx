import type { ReactNode } from "react";
import { Icon, type IconName } from "./icons.tsx";
import { StepHeading } from "./step-heading.tsx";

type OutcomeTone = "good" | "bad" | "neutral";

interface OutcomeProps {
  readonly tone: OutcomeTone;
  readonly icon: IconName;
  readonly title: string;
  readonly text: ReactNode;
  readonly children?: ReactNode;
}

/** The end of a road, good or bad: a sign, a sentence, and what to do next. */
export function Outcome({ tone, icon, title, text, children }: OutcomeProps) {
  return (
    <section className="outcome">
      <span className={`outcome-sign outcome-${tone}`}>
        <Icon name={icon} />
      </span>
      <StepHeading title={title}>{text}</StepHeading>
      {children}
    </section>
  );
}
