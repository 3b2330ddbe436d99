/** A bill by hand: what it is, for whom, the name that the provider says, then the decision. */
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { write } from "../api/client.ts";
import { type Decision, decide } from "../api/decision.ts";
import { useEnvironment } from "../api/place.ts";
import { useAction } from "../api/queries.ts";
import { Button } from "../parts/button.tsx";
import { Facts } from "../parts/facts.tsx";
import { ChoiceField } from "../parts/fields.tsx";
import { naira, typedNaira, words } from "../parts/figures.ts";
import { Modal } from "../parts/modal.tsx";
import { Failure } from "../parts/states.tsx";
import { BillFields } from "./bill-fields.tsx";
import { type Category, categories, type Form, validationOf, vendOf } from "./bill-order.ts";

export function BuyBill() {
  const [open, setOpen] = useState(false);
  const { place } = useEnvironment();
  const isLive = place.environment.kind === "LIVE";
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        Buy a bill
      </Button>
      <Modal
        open={open}
        onClose={() => setOpen(false)}
        title="Buy a bill"
        about={isLive ? "Real money leaves your wallet." : "Simulated money leaves the sandbox's wallet."}
      >
        <Steps onClose={() => setOpen(false)} />
      </Modal>
    </>
  );
}

interface Checked {
  readonly form: Form;
  /** As the provider says it; null where nobody is asked. */
  readonly customerName: string | null;
}

interface BillOrder {
  readonly category: Category;
  readonly form: Form;
}

function Steps({ onClose }: { readonly onClose: () => void }) {
  const [category, setCategory] = useState<Category>("airtime");
  const [checked, setChecked] = useState<Checked>();
  const [decision, setDecision] = useState<Decision<BillOrder>>();
  if (checked !== undefined && decision !== undefined) {
    const { reference } = decision;
    const back = () => setChecked(undefined);
    return <Confirm category={category} checked={checked} reference={reference} onBack={back} onDone={onClose} />;
  }
  const before = decision?.order.category === category ? decision.order.form : {};
  const take = (found: Checked) => {
    setChecked(found);
    setDecision((before) => decide({ category, form: found.form }, before));
  };
  return (
    <div className="grid gap-4">
      <ChoiceField
        label="What"
        value={category}
        onChange={({ target }) => setCategory(categories.find((one) => one === target.value) ?? "airtime")}
      >
        {categories.map((one) => (
          <option key={one} value={one}>
            {one === "tv" ? "TV" : words(one)}
          </option>
        ))}
      </ChoiceField>
      <Order key={category} category={category} before={before} onChecked={take} />
    </div>
  );
}

interface OrderProps {
  readonly category: Category;
  readonly before: Form;
  readonly onChecked: (checked: Checked) => void;
}

function Order({ category, before, onChecked }: OrderProps) {
  const { door } = useEnvironment();
  const [problem, setProblem] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()]);
    const form: Form = Object.fromEntries(entries);
    const asked = validationOf(category, form);
    setBusy(true);
    setProblem(undefined);
    try {
      const found =
        asked === null
          ? null
          : await write<{ customerName: string }>(door, `/bills/${category}/validate`, { body: asked });
      onChecked({ form, customerName: found?.customerName ?? null });
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      <BillFields category={category} before={before} />
      {problem === undefined ? null : <Failure error={problem} />}
      <Button type="submit" look="primary" disabled={busy}>
        {busy ? "Asking the provider" : "Check"}
      </Button>
    </form>
  );
}

interface ConfirmProps {
  readonly category: Category;
  readonly checked: Checked;
  readonly reference: string;
  readonly onBack: () => void;
  readonly onDone: () => void;
}

function Confirm({ category, checked: { form, customerName }, reference, onBack, onDone }: ConfirmProps) {
  const { at } = useEnvironment();
  const navigate = useNavigate();
  const action = useAction<{ id: string }>();
  const buy = () =>
    action.mutate(
      { path: `/bills/${category}/vend`, key: reference, body: vendOf(category, form, reference) },
      {
        onSuccess: ({ id }) => {
          onDone();
          navigate({ to: at(`/bills/${id}`) });
        },
      },
    );
  const number = form["meterNumber"] ?? form["smartCardNumber"] ?? form["customerId"] ?? form["phoneNumber"];
  return (
    <div className="grid gap-4">
      <div className="rounded-lg bg-sunken">
        <Facts
          facts={[
            ["What", category === "tv" ? "TV" : words(category)],
            ["From", form["network"] ?? form["provider"]],
            ["Number", number],
            ["Name", customerName === null ? "Not asked for" : <strong key="name">{customerName}</strong>],
            ["Plan", form["planCode"] ?? form["packageCode"]],
            ["Amount", form["amount"] === undefined ? "The plan's price" : shown(form["amount"])],
          ]}
        />
      </div>
      {action.isError ? <Failure error={action.error} /> : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onBack}>Back</Button>
        <Button look="primary" onClick={buy} disabled={action.isPending}>
          {action.isPending ? "One moment" : "Buy"}
        </Button>
      </div>
    </div>
  );
}

/** What is no amount is shown as it was typed: the server will say so. */
function shown(text: string): string {
  const amount = typedNaira(text);
  return Number.isNaN(amount) ? text : naira(amount);
}
