/** How a figure of the loan came about, step by step, as the server calculated it. */
import { useState } from "react";
import { Panel } from "../parts/facts.tsx";
import { ChoiceField } from "../parts/fields.tsx";
import { naira, words } from "../parts/figures.ts";
import { RecordView } from "../parts/record-view.tsx";
import { explained } from "./loan.ts";

interface Explanation {
  readonly value: number;
  readonly steps: readonly {
    readonly name: string;
    readonly words: string;
    readonly operation: string;
    readonly inputs: readonly { readonly name: string; readonly value: string }[];
    readonly rounding: string | null;
    readonly result: string;
  }[];
}

export function ExplainPanel({ id }: { readonly id: string }) {
  const [field, setField] = useState<string>("to_repay");
  return (
    <Panel title="Explain a figure">
      <div className="max-w-xs p-4 pb-0">
        <ChoiceField label="Figure" value={field} onChange={(event) => setField(event.target.value)}>
          {explained.map((name) => (
            <option key={name} value={name}>
              {words(name)}
            </option>
          ))}
        </ChoiceField>
      </div>
      <RecordView<Explanation> path={`/loans/${id}/explain`} params={{ field }}>
        {(explanation) => <Steps explanation={explanation} />}
      </RecordView>
    </Panel>
  );
}

function Steps({ explanation }: { readonly explanation: Explanation }) {
  return (
    <div className="grid gap-3 p-4">
      <p className="text-lg font-semibold">{naira(explanation.value)}</p>
      <ol className="grid gap-2">
        {explanation.steps.map((step) => (
          <li key={step.name} className="grid gap-x-4 border-l-2 border-line pl-3 sm:grid-cols-[1fr_auto]">
            <div>
              <p>{step.words}</p>
              <p className="text-xs break-all text-soft">
                {step.inputs.map(({ name, value }) => `${name} ${value}`).join(" · ")}
                {step.rounding === null ? "" : ` · rounded ${step.rounding}`}
              </p>
            </div>
            <p className="font-mono text-sm">{step.result}</p>
          </li>
        ))}
      </ol>
    </div>
  );
}
