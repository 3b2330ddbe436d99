/**
 * The payouts of an order, each with the name that the asker expects. While the order waits, the banks are asked again
 * for whoever decides: a name that has changed since stands out.
 */
import { useEffect, useRef, useState } from "react";
import { type BankAnswer, type BankAnswers, useBankNames } from "../bulk/bank-names.ts";
import { Button } from "../parts/button.tsx";
import { Panel } from "../parts/facts.tsx";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
import { type ApprovalDetail, isOtherName, type OrderedPayout } from "./approval.ts";

/** More than these are asked about when somebody wants it: each costs the bank a question. */
const mostAtOnce = 50;
const keyOf = ({ reference }: OrderedPayout) => reference;

export function OrderedPayouts({ approval }: { readonly approval: ApprovalDetail }) {
  const { payouts, status, kind } = approval;
  const waits = status === "waiting" && kind === "batch";
  const { said, ask } = useBankNames(keyOf);
  const [begun, setBegun] = useState(false);
  // The record is read again while it waits; the banks are asked once.
  const first = useRef(payouts);
  useEffect(() => {
    if (!waits || (!begun && first.current.length > mostAtOnce)) return;
    ask(first.current);
  }, [ask, waits, begun]);
  const isHeld = waits && !begun && payouts.length > mostAtOnce;
  return (
    <Panel title="Payouts" aside={isHeld ? <Button onClick={() => setBegun(true)}>Ask the banks now</Button> : null}>
      {kind === "batch" ? <NamesText approval={approval} said={said} isHeld={isHeld} /> : null}
      <ul className="max-h-[60vh] overflow-y-auto">
        {payouts.map((payout) => (
          <PayoutRow key={payout.reference} payout={payout} answer={said.get(keyOf(payout))} />
        ))}
      </ul>
    </Panel>
  );
}

interface NamesTextProps {
  readonly approval: ApprovalDetail;
  readonly said: BankAnswers;
  readonly isHeld: boolean;
}

function NamesText({ approval: { payouts, requestedBy, createdAt, status }, said, isHeld }: NamesTextProps) {
  const asked = said.size;
  const others = payouts.filter((payout) => isOtherName(said.get(keyOf(payout)))).length;
  return (
    <div className="grid gap-1 border-b border-line p-4">
      <p className="text-soft">
        Names as {requestedBy} had them, <Moment at={createdAt} />. Each bank is asked again before it is paid, and an
        account with another holder is not paid.
      </p>
      {status !== "waiting" || isHeld ? null : (
        <p role="status">{`The banks named ${asked} of ${payouts.length} now.`}</p>
      )}
      {others === 0 ? null : (
        <p role="alert" className="font-semibold text-danger">
          {`${others} of them ${others === 1 ? "has" : "have"} another name now, or none. Look before you agree.`}
        </p>
      )}
    </div>
  );
}

function PayoutRow({ payout, answer }: { readonly payout: OrderedPayout; readonly answer: BankAnswer | undefined }) {
  const isOther = isOtherName(answer);
  return (
    <li
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-2
      last:border-0"
    >
      <span className="min-w-48 flex-1">
        {payout.accountName ?? payout.accountNumber}
        {answer === undefined ? null : (
          <span className={`block text-sm ${isOther ? "font-semibold text-danger" : "text-soft"}`}>
            {"name" in answer ? `The bank says ${answer.name}` : answer.refusal}
          </span>
        )}
        <span className="block text-xs break-words text-soft">
          {[payout.accountNumber, payout.bankName ?? payout.bankCode, payout.narration, payout.reference]
            .filter((part) => part !== null)
            .join(" · ")}
        </span>
      </span>
      {answer === undefined ? null : <StatusChip status={isOther ? "rejected" : "verified"} />}
      <Money amount={payout.amount} />
    </li>
  );
}
