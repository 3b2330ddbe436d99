import { useRef, useState } from "react";
import { Button } from "../shared/button.tsx";
import { cardName } from "../shared/card-name.ts";
import { formatNaira } from "../shared/naira.ts";
import { TextField } from "../shared/text-field.tsx";
import { type AmountChoice, choicesOf, readAmount } from "./choose-amount.ts";
import type { PlanView } from "./plan-view.ts";
import { newPress } from "./press.ts";
import type { Plan } from "./use-plan.ts";

const noRebate = "The interest was agreed for the whole plan, so paying early does not lower it.";

interface PayFormProps {
  readonly plan: Plan;
  readonly view: PlanView;
  onPress(): void;
}

/** Paying before the due date, with the linked card. */
export function PayForm({ plan, view, onPress }: PayFormProps) {
  const choices = choicesOf(view);
  const [chosen, setChosen] = useState<string | null>(view.due > 0 ? (choices[0]?.name ?? null) : null);
  const [typed, setTyped] = useState("");
  const [complaint, setComplaint] = useState<string | undefined>(undefined);
  const pay = usePayment(plan, view);
  const choice = choices.find(({ name }) => name === chosen);
  const amount = choice === undefined ? null : (choice.amount ?? readAmount(typed, view.balance));
  const submit = async () => {
    if (choice === undefined || plan.busy !== null) return;
    if (typeof amount !== "number") return setComplaint(amount?.complaint);
    setComplaint(undefined);
    onPress();
    if (await pay(amount)) {
      setChosen(null);
      setTyped("");
    }
  };
  if (view.card === null) return null;
  return (
    <form
      className="pay-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <fieldset>
        <legend>{view.due > 0 ? "Pay now" : "Pay early"}</legend>
        {choices.map((each) => (
          <Choice key={each.name} choice={each} checked={each.name === chosen} onChoose={setChosen} />
        ))}
      </fieldset>
      {choice !== undefined && choice.amount === null ? (
        <TextField
          id="amount"
          label="Amount in naira"
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          complaint={complaint}
          onInput={setTyped}
        />
      ) : null}
      {choice === undefined ? null : (
        <>
          <Button type="submit" busy={plan.busy === "pay"} busyText="Asking your bank">
            {typeof amount === "number" ? `Pay ${formatNaira(amount)} now` : "Pay now"}
          </Button>
          <p className="small-print centred">
            Taken at once from your {cardName(view.card)}.
            {view.due === 0 && view.settlement === view.balance ? ` ${noRebate}` : null}
          </p>
        </>
      )}
    </form>
  );
}

interface ChoiceProps {
  readonly choice: AmountChoice;
  readonly checked: boolean;
  onChoose(name: string): void;
}

function Choice({ choice: { name, text, amount }, checked, onChoose }: ChoiceProps) {
  return (
    <label className="choice">
      <input type="radio" name="amount-choice" checked={checked} onChange={() => onChoose(name)} />
      <span>{text}</span>
      {amount === null ? null : <span className="amount choice-amount">{formatNaira(amount)}</span>}
    </label>
  );
}

/** True when it was taken. After a break in the line the same press is sent again, so that nothing is paid twice. */
function usePayment(plan: Plan, view: PlanView): (amount: number) => Promise<boolean> {
  const open = useRef<{ readonly amount: number; readonly press: string } | null>(null);
  return async (amount) => {
    if (open.current?.amount !== amount) open.current = { amount, press: newPress() };
    const { press } = open.current;
    const { taken, problem } = await plan.act("pay", { amount, owed: view.balance, press });
    const isKnown = taken || (problem !== null && problem.refusal.status >= 400 && problem.refusal.status < 500);
    if (isKnown) open.current = null;
    return taken;
  };
}
