/** A payout by hand: bank and account, the holder's name as the bank says it, the fee, then the decision. */
import type { Bank, NameEnquiry, TransferFee, Wallet } from "@jara/sdk";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { plainAmount } from "../../shared/naira.ts";
import { read } from "../api/client.ts";
import { type Decision, decide } from "../api/decision.ts";
import { useEnvironment } from "../api/place.ts";
import { useAction, useRecord } from "../api/queries.ts";
import { PayFailure } from "../approvals/ask-approval.tsx";
import { Button } from "../parts/button.tsx";
import { Facts } from "../parts/facts.tsx";
import { ChoiceField, TextField } from "../parts/fields.tsx";
import { naira, typedNaira } from "../parts/figures.ts";
import { Modal } from "../parts/modal.tsx";
import { Money } from "../parts/money.tsx";
import { Failure } from "../parts/states.tsx";
import { payoutSentence, RepeatedNotice, repeatedOf } from "./repeated-payment.tsx";

export interface Order {
  readonly bankCode: string;
  readonly accountNumber: string;
  readonly amount: string;
  readonly narration: string;
}

interface Checked
  extends Pick<NameEnquiry, "accountName" | "bankName" | "nameEnquiryReference">,
    Pick<TransferFee, "totalFee" | "totalDebit">,
    Pick<Wallet, "available"> {
  readonly order: Order;
}

interface MakePayoutProps {
  readonly label?: string;
  /** What the form begins with, such as an earlier payout. */
  readonly order?: Order;
}

export function MakePayout({ label = "Make a payout", order }: MakePayoutProps) {
  const [open, setOpen] = useState(false);
  const { place } = useEnvironment();
  const isLive = place.environment.kind === "LIVE";
  return (
    <>
      <Button look={order === undefined ? "primary" : "plain"} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Modal
        open={open}
        onClose={() => setOpen(false)}
        title={label}
        about={isLive ? "Real money leaves your wallet." : "Simulated money leaves the sandbox's wallet."}
      >
        <PayoutSteps order={order} onClose={() => setOpen(false)} />
      </Modal>
    </>
  );
}

interface PayoutStepsProps {
  readonly order: Order | undefined;
  readonly onClose: () => void;
}

function PayoutSteps({ order, onClose }: PayoutStepsProps) {
  const [checked, setChecked] = useState<Checked>();
  const [decision, setDecision] = useState<Decision<Order>>();
  if (checked !== undefined && decision !== undefined) {
    const back = () => setChecked(undefined);
    return <Confirm checked={checked} reference={decision.reference} onBack={back} onDone={onClose} />;
  }
  const take = (found: Checked) => {
    setChecked(found);
    setDecision((before) => decide(found.order, before));
  };
  return <AskOrder order={decision?.order ?? order} onChecked={take} />;
}

interface AskOrderProps {
  readonly order: Order | undefined;
  readonly onChecked: (checked: Checked) => void;
}

function AskOrder({ order, onChecked }: AskOrderProps) {
  const banks = useRecord<Bank[]>("/transfers/banks");
  const check = useCheck();
  const [problem, setProblem] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "").trim();
    setBusy(true);
    setProblem(undefined);
    try {
      onChecked(
        await check({
          bankCode: text("bankCode"),
          accountNumber: text("accountNumber"),
          amount: plainAmount(text("amount")),
          narration: text("narration"),
        }),
      );
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      <ChoiceField
        label="Bank"
        name="bankCode"
        defaultValue={order?.bankCode ?? "058"}
        key={banks.data?.length}
        required
      >
        {(banks.data ?? []).map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </ChoiceField>
      <TextField
        label="Account number"
        name="accountNumber"
        inputMode="numeric"
        pattern="[0-9]{10}"
        hint="Ten digits."
        defaultValue={order?.accountNumber}
        required
      />
      <TextField label="Amount in naira" name="amount" inputMode="decimal" defaultValue={order?.amount} required />
      <TextField label="Narration" name="narration" maxLength={100} defaultValue={order?.narration} />
      {problem === undefined ? null : <Failure error={problem} />}
      <Button type="submit" look="primary" disabled={busy}>
        {busy ? "Asking the bank" : "Check name and fee"}
      </Button>
    </form>
  );
}

/** Nothing moves here: the bank names the holder, the tariff the fee, the ledger the balance. */
function useCheck(): (order: Order) => Promise<Checked> {
  const { door } = useEnvironment();
  return async (order) => {
    const { bankCode, accountNumber, amount } = order;
    const [holder, fee, wallet] = await Promise.all([
      read<NameEnquiry>(door, "/transfers/name-enquiry", { bankCode, accountNumber }),
      read<TransferFee>(door, "/transfers/fee", { amount, currency: "NGN" }),
      read<Wallet>(door, "/wallets/balance"),
    ]);
    const { accountName, bankName, nameEnquiryReference } = holder;
    const { totalFee, totalDebit } = fee;
    return { order, accountName, bankName, nameEnquiryReference, totalFee, totalDebit, available: wallet.available };
  };
}

interface ConfirmProps {
  readonly checked: Checked;
  readonly reference: string;
  readonly onBack: () => void;
  readonly onDone: () => void;
}

function Confirm({ checked, reference, onBack, onDone }: ConfirmProps) {
  const { at } = useEnvironment();
  const navigate = useNavigate();
  const action = useAction<{ id: string }>();
  const { order, accountName, bankName } = checked;
  const [payAgain, setPayAgain] = useState<string>();
  const repeated = repeatedOf(action.error);
  const pay = (again = payAgain) => {
    setPayAgain(again);
    action.mutate(
      { path: "/transfers", body: bodyOf(checked, reference), payAgain: again },
      {
        onSuccess: ({ id }) => {
          onDone();
          navigate({ to: at(`/transfers/${id}`) });
        },
      },
    );
  };
  return (
    <div className="grid gap-4">
      <div className="rounded-lg bg-sunken">
        <Facts
          facts={[
            ["To", <strong key="to">{accountName}</strong>],
            ["Account", `${order.accountNumber} · ${bankName}`],
            ["Amount", <Money key="amount" amount={order.amount} />],
            ["Fee, VAT and stamp duty", <Money key="fee" amount={checked.totalFee} />],
            ["Leaves your wallet", <Money key="total" amount={checked.totalDebit} className="font-semibold" />],
            ["In the wallet now", <Money key="now" amount={checked.available} />],
          ]}
        />
      </div>
      {repeated !== null ? (
        <RepeatedNotice
          repeated={repeated}
          sentence={payoutSentence(repeated, `${naira(order.amount)} to ${accountName}`)}
          question="Nothing was paid now. Pay it again?"
          confirm={`Pay ${naira(order.amount)} again`}
          onAgain={() => pay(repeated.paymentId)}
        />
      ) : action.isError ? (
        <PayFailure
          error={action.error}
          order={{ payout: bodyToAsk(checked, reference) }}
          payAgain={payAgain}
          onAsked={onDone}
        />
      ) : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onBack}>Back</Button>
        {repeated !== null ? null : (
          <Button look="primary" onClick={() => pay()} disabled={action.isPending}>
            {action.isPending ? "One moment" : `Pay ${naira(order.amount)}`}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Whoever agrees does so to the name that the asker has seen. */
function bodyToAsk(checked: Checked, reference: string) {
  const { nameEnquiryReference: _, ...body } = bodyOf(checked, reference);
  return { ...body, accountName: checked.accountName };
}

function bodyOf({ order, nameEnquiryReference }: Checked, reference: string) {
  const { narration, ...rest } = order;
  return {
    ...rest,
    amount: typedNaira(order.amount),
    currency: "NGN",
    reference,
    nameEnquiryReference,
    ...(narration === "" ? {} : { narration }),
  };
}
