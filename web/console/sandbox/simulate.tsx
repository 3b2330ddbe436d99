/** What a sandbox's bank, biller or lender can be told to do with one record. */
import { FlaskConical } from "lucide-react";
import type { ReactNode } from "react";
import { Allowed } from "../api/allowed.tsx";
import { useEnvironment } from "../api/place.ts";
import { ActionButton } from "../parts/action-button.tsx";

interface Step {
  readonly label: string;
  /** What will happen, in one sentence. */
  readonly about: string;
  /** Below the record's path in the sandbox: "complete". */
  readonly word: string;
  readonly danger?: true;
}

interface SimulateProps {
  /** Of the record in the sandbox's API: /sandbox/transfers/{id}. */
  readonly path: string;
  readonly steps: readonly Step[];
}

export function Simulate({ path, steps }: SimulateProps) {
  if (steps.length === 0) return null;
  return (
    <SandboxOnly>
      <section
        aria-label="Simulate"
        className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-xl bg-sandbox-tint px-4 py-2.5"
      >
        <p className="flex items-center gap-2 text-sm font-medium text-sandbox">
          <FlaskConical aria-hidden="true" className="size-4 shrink-0" />
          Sandbox: decide what happens next
        </p>
        <div className="flex flex-wrap gap-2">
          {steps.map(({ label, about, word, danger }) => (
            <ActionButton
              key={word}
              label={label}
              look={danger ? "danger" : "plain"}
              about={about}
              request={() => ({ path: `${path}/${word}`, body: {} })}
            />
          ))}
        </div>
      </section>
    </SandboxOnly>
  );
}

function SandboxOnly({ children }: { readonly children: ReactNode }) {
  const { place } = useEnvironment();
  return place.environment.kind === "SANDBOX" ? <Allowed change="sandbox">{children}</Allowed> : null;
}
