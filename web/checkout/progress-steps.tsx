import { Icon } from "../shared/icons.tsx";
import type { Step } from "./checkout-view.ts";

const steps: readonly { readonly name: string; readonly covers: readonly Step[] }[] = [
  { name: "Plan", covers: ["offer"] },
  { name: "Confirm", covers: ["consent"] },
  { name: "Card", covers: ["card"] },
  { name: "Done", covers: ["processing", "completed"] },
];

export function ProgressSteps({ step }: { readonly step: Step }) {
  const current = steps.findIndex(({ covers }) => covers.includes(step));
  return (
    <ol className="progress" aria-label="Steps of this checkout">
      {steps.map(({ name }, place) => (
        <li
          key={name}
          className={place < current ? "progress-done" : undefined}
          aria-current={place === current ? "step" : undefined}
        >
          <span className="progress-mark" aria-hidden="true">
            {place < current ? <Icon name="check" /> : place + 1}
          </span>
          <span>{name}</span>
          {place < current ? <span className="visually-hidden">, finished</span> : null}
        </li>
      ))}
    </ol>
  );
}
