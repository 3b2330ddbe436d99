/** Every row with the name that its bank says: mistakes first, what it costs, what was paid before, then the decision. */
import { Link } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { csvOf, saveFile } from "../api/csv.ts";
import { useEnvironment } from "../api/place.ts";
import { Button } from "../parts/button.tsx";
import { Facts, Panel } from "../parts/facts.tsx";
import { counted, naira } from "../parts/figures.ts";
import { Money } from "../parts/money.tsx";
import { Failure } from "../parts/states.tsx";
import { fileSentence, RepeatedNotice } from "../transfers/repeated-payment.tsx";
import { useBankNames } from "./bank-names.ts";
import { BulkRow } from "./bulk-row.tsx";
import { ConfirmBatch } from "./confirm-batch.tsx";
import { type DraftRow, fields, judgeRows, type PayoutRow } from "./payout-file.ts";
import { inOrder, type JudgedRow, judge, reasonOf, type Verdict } from "./row-verdict.ts";
import { type Review, useReview } from "./use-review.ts";

interface CheckRowsProps {
  readonly rows: readonly DraftRow[];
  readonly batch: string;
  readonly onBack: () => void;
}

export function CheckRows({ rows, batch, onBack }: CheckRowsProps) {
  const check = useCheck(rows);
  const { judged, review, payAgain, repeated, setDraft, choose } = check;
  const [isConfirmed, setConfirmed] = useState(false);
  const of = (...verdicts: Verdict[]) => judged.filter(({ verdict }) => verdicts.includes(verdict));
  return (
    <div className="grid gap-4">
      <PaidBefore check={check} />
      <Decide check={check} batch={batch} onBack={onBack} onConfirm={() => setConfirmed(true)} />
      <Panel title="Rows">
        <ul className="max-h-[70vh] overflow-y-auto">
          {inOrder(judged).map((one) => (
            <BulkRow
              key={one.row.line}
              judged={one}
              wasPaid={repeated?.lines.includes(one.row.line) ?? false}
              onChange={setDraft}
              onChoose={(isIn) => choose(one.row.line, isIn)}
            />
          ))}
        </ul>
      </Panel>
      {isConfirmed && review.data !== undefined ? (
        <ConfirmBatch
          paid={of("ready")}
          leftOut={of("correct", "confirm", "out")}
          review={review.data}
          batch={batch}
          payAgain={payAgain}
          onClose={() => setConfirmed(false)}
          onRepeated={() => {
            setConfirmed(false);
            review.refetch();
          }}
        />
      ) : null}
    </div>
  );
}

type Check = ReturnType<typeof useCheck>;

/** Stops what was paid a short time ago, until a person takes those rows out or means it. */
function PaidBefore({ check }: { readonly check: Check }) {
  const { asked: rowCount, repeated, setPayAgain, takeOut } = check;
  if (repeated === null) return null;
  const { lines } = repeated;
  return (
    <RepeatedNotice
      repeated={repeated}
      sentence={fileSentence(repeated, rowCount)}
      question="Nothing is paid yet. Pay it again?"
      confirm="Pay it again"
      onAgain={() => setPayAgain(repeated.paymentId)}
    >
      {lines.length < rowCount ? (
        <Button onClick={() => takeOut(lines)}>{`Take out ${counted(lines.length, "row")}`}</Button>
      ) : null}
    </RepeatedNotice>
  );
}

interface DecideProps {
  readonly check: Check;
  readonly batch: string;
  readonly onBack: () => void;
  readonly onConfirm: () => void;
}

function Decide({ check: { judged, review, repeated }, batch, onBack, onConfirm }: DecideProps) {
  const of = (wanted: Verdict) => judged.filter(({ verdict }) => verdict === wanted);
  const [paid, wrong] = [of("ready"), of("correct")];
  const isKnown = of("asking").length === 0 && review.isSuccess && !review.isPlaceholderData;
  const short = review.data === undefined ? 0 : -review.data.availableAfter;
  return (
    <Panel title={headline(judged)}>
      <Summary review={repeated === null ? review.data : undefined} paid={paid.length} count={judged.length} />
      {review.isError ? <Failure error={review.error} retry={() => review.refetch()} /> : null}
      {short > 0 ? <Short short={short} /> : null}
      <div className="flex flex-wrap gap-2 p-4 pt-0">
        <Button onClick={onBack}>Another file</Button>
        <Button
          look="primary"
          disabled={!isKnown || paid.length === 0 || repeated !== null || short > 0}
          onClick={onConfirm}
        >
          {`Review and pay ${paid.length} of ${judged.length}`}
        </Button>
        {wrong.length === 0 ? null : (
          <Button onClick={() => saveFile(`${batch}-to-correct.csv`, mistakesFile(wrong))}>
            <Download aria-hidden="true" className="size-4" />
            Rows to correct
          </Button>
        )}
      </div>
    </Panel>
  );
}

const keyOf = ({ bankCode, accountNumber, name }: PayoutRow) => `${bankCode}/${accountNumber}/${name}`;

/** What is known of each row, from the file, the bank, the server and the person. */
function useCheck(first: readonly DraftRow[]) {
  const [drafts, setDrafts] = useState(first);
  const [choices, setChoices] = useState<ReadonlyMap<number, boolean>>(new Map());
  const [payAgain, setPayAgain] = useState<string>();
  const rows = judgeRows(drafts);
  const { said, askAgain } = useNames(rows);
  const known = (row: PayoutRow, refusal?: string) =>
    judge(row, { answer: said.get(keyOf(row)), refusal, choice: choices.get(row.line) });
  const candidates = rows.filter((row) => ["ready", "asking"].includes(known(row).verdict));
  const review = useReview(candidates, payAgain);
  const asked = new Set(candidates.map(({ line }) => line));
  const data = asked.size === 0 ? undefined : review.data;
  const earlier = data?.repeated ?? null;
  const repeated = earlier === null || earlier.paymentId === payAgain ? null : earlier;
  // A row that was paid has used its reference up; what to do about it is one question, and not two.
  const refusals = new Map(
    (data?.rejected ?? [])
      .filter(({ line }) => asked.has(line) && !(repeated?.lines.includes(line) ?? false))
      .map(({ line, message }) => [line, message]),
  );
  const judged = rows.map((row) => known(row, refusals.get(row.line)));
  const choose = (line: number, isIn: boolean | undefined) =>
    setChoices((before) => {
      const others = [...before].filter(([other]) => other !== line);
      return new Map(isIn === undefined ? others : [...others, [line, isIn]]);
    });
  const takeOut = (some: readonly number[]) =>
    setChoices((before) => new Map([...before, ...some.map((line) => [line, false] as const)]));
  const setDraft = (draft: DraftRow) => {
    setDrafts((before) => before.map((one) => (one.line === draft.line ? draft : one)));
    // Another account is another question: what was agreed to is asked again.
    choose(draft.line, undefined);
    askAgain(judgeRows([draft]));
  };
  return {
    judged,
    asked: asked.size,
    review: { ...review, data },
    payAgain,
    setPayAgain,
    repeated,
    setDraft,
    choose,
    takeOut,
  };
}

/** Each account is asked about once, also after a row was corrected. */
function useNames(rows: readonly PayoutRow[]) {
  const { said, ask } = useBankNames(useCallback((row: PayoutRow & { accountName: string }) => keyOf(row), []));
  const asked = useRef(new Set<string>());
  useEffect(() => {
    const fresh = rows.filter((row) => row.mistakes.length === 0 && !asked.current.has(keyOf(row)));
    const byKey = new Map(fresh.map((row) => [keyOf(row), { ...row, accountName: row.name }]));
    for (const key of byKey.keys()) asked.current.add(key);
    if (byKey.size > 0) ask([...byKey.values()]);
  });
  const askAgain = (some: readonly PayoutRow[]) => {
    for (const row of some) asked.current.delete(keyOf(row));
  };
  return { said, askAgain };
}

function headline(judged: readonly JudgedRow[]): string {
  const count = (wanted: Verdict) => judged.filter(({ verdict }) => verdict === wanted).length;
  const asking = count("asking");
  if (asking > 0) return `Asking the banks: ${judged.length - asking} of ${judged.length}`;
  const parts = [
    ...(count("correct") > 0 ? [`${count("correct")} to correct`] : []),
    ...(count("confirm") > 0 ? [`${count("confirm")} to confirm`] : []),
    `${count("ready")} ready`,
  ];
  return parts.join(", ");
}

interface SummaryProps {
  readonly review: Review | undefined;
  readonly paid: number;
  readonly count: number;
}

function Summary({ review, paid, count }: SummaryProps) {
  const money = (key: string, amount: number | undefined, strong = false) => (
    <Money key={key} amount={amount ?? null} className={strong ? "font-semibold" : ""} />
  );
  return (
    <Facts
      facts={[
        ["To be paid", `${paid} of ${counted(count, "row")}`],
        ["Amount", money("amount", review?.totalAmount)],
        ["Fees, VAT and stamp duty", money("fees", review?.totalFee)],
        ["Total debit", money("debit", review?.totalDebit, true)],
        ["Wallet now", money("now", review?.available)],
        ["Wallet afterwards", money("after", review?.availableAfter, true)],
      ]}
    />
  );
}

function Short({ short }: { readonly short: number }) {
  const { at } = useEnvironment();
  return (
    <p role="alert" className="mx-4 mb-4 rounded-lg bg-danger-tint p-3 text-danger">
      {`The wallet is ${naira(short)} short. `}
      <Link to={at("/wallets")} className="underline underline-offset-4">
        Fund it
      </Link>{" "}
      or take out rows.
    </p>
  );
}

function mistakesFile(rows: readonly JudgedRow[]): string {
  return csvOf<JudgedRow>(
    [
      ["line", ({ row }) => row.line],
      ...fields.map((field) => [field, ({ row }: JudgedRow) => row.cells[field]] as const),
      ["problem", reasonOf],
    ],
    rows,
  );
}
