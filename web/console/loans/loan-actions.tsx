/** What a merchant does with a loan that is out, or on its way out. Checkout loans take the same requests. */
import { useState } from "react";
import { ActionButton } from "../parts/action-button.tsx";
import { ChoiceField, TextField } from "../parts/fields.tsx";
import { naira, typedNaira, words } from "../parts/figures.ts";

interface MoneyActionProps {
  /** Of the loan in the API: /loans/{id} or /loans/bnpl/loans/{id}. */
  readonly base: string;
  readonly amount: number;
  readonly channels: readonly string[];
}

/** How a borrower of the loans API pays. A card is linked at the checkout alone. */
export const plainChannels = ["wallet", "cash", "bank_transfer"] as const;
export const checkoutChannels = ["card", ...plainChannels] as const;

export function RecordRepayment({ base, amount, channels }: MoneyActionProps) {
  return (
    <ActionButton
      label="Record repayment"
      look="primary"
      about="Pays the earliest open instalment first. Your wallet is debited, unless a card is charged."
      fields={<MoneyFields amount={amount} channels={channels} prefix="repay" channelLabel="How the borrower paid" />}
      request={(form) => ({ path: `${base}/repayments`, body: moneyBody(form) })}
    />
  );
}

export function RefundCredit({ base, amount, channels }: MoneyActionProps) {
  if (amount <= 0) return null;
  return (
    <ActionButton
      label="Refund credit"
      about={`The borrower overpaid ${naira(amount)}. Cash and bank transfers you pay back yourself.`}
      fields={<MoneyFields amount={amount} channels={channels} prefix="credit" channelLabel="How it was paid" />}
      request={(form) => ({ path: `${base}/credit/refund`, body: moneyBody(form) })}
    />
  );
}

export function CancelLoan({ base }: { readonly base: string }) {
  return (
    <ActionButton
      label="Cancel loan"
      look="danger"
      about="The loan is not paid out. A loan whose money is already on its way cannot be cancelled."
      request={() => ({ path: `${base}/cancel`, body: {} })}
    />
  );
}

interface MoneyFieldsProps extends Pick<MoneyActionProps, "amount" | "channels"> {
  readonly prefix: string;
  readonly channelLabel: string;
}

function MoneyFields({ amount, channels, prefix, channelLabel }: MoneyFieldsProps) {
  return (
    <>
      <AmountField amount={amount} />
      <ChoiceField label={channelLabel} name="channel" required>
        {channels.map((channel) => (
          <option key={channel} value={channel}>
            {words(channel)}
          </option>
        ))}
      </ChoiceField>
      <ReferenceField prefix={prefix} />
    </>
  );
}

export function AmountField({ amount }: { readonly amount?: number }) {
  // What the page has read again in the meantime must not change what a person is about to send.
  const [first] = useState(amount === undefined || amount <= 0 ? "" : String(amount));
  return <TextField label="Amount in naira" name="amount" inputMode="decimal" defaultValue={first} required />;
}

/** The same reference is recorded once, however often it is sent. */
export function ReferenceField({ prefix }: { readonly prefix: string }) {
  const [first] = useState(() => `${prefix}-${crypto.randomUUID().slice(0, 13)}`);
  return (
    <TextField
      label="Reference"
      name="reference"
      maxLength={100}
      defaultValue={first}
      hint="Used once. Replace it with your own, such as the number of the bank transfer."
      required
    />
  );
}

function moneyBody(form: (name: string) => string) {
  return { amount: typedNaira(form("amount")), channel: form("channel"), reference: form("reference") };
}
