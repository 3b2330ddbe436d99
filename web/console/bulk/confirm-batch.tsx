/** The last look: the sum in words, the fees, the wallet afterwards. Then the batch is sent, once. */
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useEnvironment } from "../api/place.ts";
import { useAction } from "../api/queries.ts";
import { PayFailure } from "../approvals/ask-approval.tsx";
import { Button } from "../parts/button.tsx";
import { counted, naira } from "../parts/figures.ts";
import { Modal } from "../parts/modal.tsx";
import { Money } from "../parts/money.tsx";
import { repeatedOf } from "../transfers/repeated-payment.tsx";
import { amountInWords } from "./amount-in-words.ts";
import { type JudgedRow, reasonOf } from "./row-verdict.ts";
import { ownReference, type Review } from "./use-review.ts";

interface ConfirmProps {
  readonly paid: readonly JudgedRow[];
  readonly leftOut: readonly JudgedRow[];
  readonly review: Review;
  /** The name of the file, for the batch's reference. */
  readonly batch: string;
  readonly payAgain: string | undefined;
  readonly onClose: () => void;
  /** Somebody was faster: what they paid has to be looked at. */
  readonly onRepeated: () => void;
}

export function ConfirmBatch(props: ConfirmProps) {
  const { paid, leftOut, review, payAgain, onClose } = props;
  const { place } = useEnvironment();
  const { go, order, action } = usePay(props);
  const isLive = place.environment.kind === "LIVE";
  return (
    <Modal
      open
      onClose={onClose}
      title={`Pay ${counted(paid.length, "person", "people")}?`}
      about={isLive ? "Real money leaves your wallet." : "Simulated money leaves the sandbox's wallet."}
    >
      <div className="rounded-lg bg-sunken p-4">
        <p className="text-2xl font-semibold tabular-nums">{naira(review.totalAmount)}</p>
        <p className="text-soft">{amountInWords(review.totalAmount)}</p>
      </div>
      <dl className="grid gap-2">
        <Line title="Fees, VAT and stamp duty" amount={review.totalFee} />
        <Line title="Total debit" amount={review.totalDebit} isStrong />
        <Line title="Wallet now" amount={review.available} />
        <Line title="Wallet afterwards" amount={review.availableAfter} isStrong />
      </dl>
      {leftOut.length === 0 ? null : (
        <p className="text-soft">{counted(leftOut.length, "row")} left out. The batch keeps them with the reason.</p>
      )}
      {action.isError && repeatedOf(action.error) === null ? (
        <PayFailure error={action.error} order={{ batch: order }} payAgain={payAgain} onAsked={onClose} />
      ) : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Back</Button>
        <Button look="primary" disabled={action.isPending} onClick={go}>
          {action.isPending ? "One moment" : `Pay ${naira(review.totalAmount)}`}
        </Button>
      </div>
    </Modal>
  );
}

interface LineProps {
  readonly title: string;
  readonly amount: number;
  readonly isStrong?: boolean;
}

function Line({ title, amount, isStrong = false }: LineProps) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="text-soft">{title}</dt>
      <dd>
        <Money amount={amount} className={isStrong ? "font-semibold" : ""} />
      </dd>
    </div>
  );
}

function usePay({ paid, leftOut, review, batch, payAgain, onRepeated }: ConfirmProps) {
  const { at } = useEnvironment();
  const navigate = useNavigate();
  const action = useAction<{ batchId: string }>();
  // Of this look only: a second press is the same request, and another person's is another one.
  const [visit] = useState(() => crypto.randomUUID());
  const batchReference = `${batch}-${review.reference}`;
  const order = {
    batchReference,
    currency: "NGN",
    transfers: paid.map((judged) => transferOf(judged, batchReference, payAgain)),
    ...(leftOut.length === 0 ? {} : { leftOut: leftOut.map(leftOutOf) }),
  };
  const go = () =>
    action.mutate(
      { path: "/transfers/bulk", key: `${batchReference}-${visit}`, payAgain, body: order },
      {
        onSuccess: ({ batchId }) => navigate({ to: at(`/bulk/${batchId}`) }),
        onError: (error) => {
          if (repeatedOf(error) !== null) onRepeated();
        },
      },
    );
  return { go, order, action };
}

/** What the bank said goes along: an account that has another holder by then is not paid. */
function transferOf({ row, answer }: JudgedRow, batchReference: string, payAgain: string | undefined) {
  const { accountNumber, bankCode, amount, narration, reference, line } = row;
  return {
    accountNumber,
    bankCode,
    amount,
    reference: reference === "" ? `${batchReference}-${line}` : ownReference(reference, payAgain),
    ...(narration === "" ? {} : { narration }),
    ...(answer !== undefined && "name" in answer ? { accountName: answer.name } : {}),
  };
}

function leftOutOf(judged: JudgedRow) {
  const { cells, line, amount, name } = judged.row;
  return {
    reference: cells.reference === "" ? `Line ${line}` : cells.reference.slice(0, 100),
    reason: reasonOf(judged),
    ...(cells.accountNumber === "" ? {} : { accountNumber: cells.accountNumber.slice(0, 200) }),
    ...(name === "" ? {} : { accountName: name.slice(0, 200) }),
    ...(cells.bankCode === "" ? {} : { bankCode: cells.bankCode.slice(0, 200) }),
    ...(amount > 0 ? { amount } : {}),
  };
}
