import { useState } from "react";
import { Button } from "../shared/button.tsx";
import type { ApiProblem } from "../shared/call-api.ts";
import { entryOf } from "../shared/entry-of.ts";
import { ErrorSummary } from "../shared/error-summary.tsx";
import { Notice } from "../shared/notice.tsx";
import { StepHeading } from "../shared/step-heading.tsx";
import { type CardComplaints, type CardEntry, emptyEntry, readCard } from "./card-entry.ts";
import { CardFields } from "./card-fields.tsx";
import type { CardLinkView } from "./card-link-view.ts";
import { TestCards } from "./test-cards.tsx";
import type { CardLink } from "./use-card-link.ts";

interface CardFormProps {
  readonly link: CardLink;
  readonly view: CardLinkView;
}

export function CardForm({ link, view }: CardFormProps) {
  const [entry, setEntry] = useState<CardEntry>(emptyEntry);
  const [complaints, setComplaints] = useState<CardComplaints>({});
  const [attempt, setAttempt] = useState(0);
  const shown = { ...complaintsOf(link.problem), ...complaints };
  const submit = async () => {
    const card = readCard(entry, view.now);
    const complete = "expMonth" in card;
    setComplaints(complete ? {} : card);
    if (complete) await link.submit(card);
    setAttempt((before) => before + 1);
  };
  // What was wrong with the form before is not wrong with a card that is known to be whole.
  const fillIn = (card: CardEntry) => {
    setEntry(card);
    setComplaints({});
    link.forgive();
  };
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!link.busy) void submit();
      }}
    >
      <StepHeading title={view.status === "declined" ? "Try another card" : "Add your card"}>
        Your payments to {view.merchantName} are taken from it on the dates you agreed to. Nothing is taken now.
      </StepHeading>
      <Declined view={view} busy={link.busy} />
      <ErrorSummary
        attempt={attempt}
        complaints={Object.entries(shown).map(([field, text]) => ({ field: `card-${field}`, text }))}
      />
      <Refused problem={link.problem} />
      <CardFields entry={entry} complaints={shown} onChange={setEntry} />
      {view.environment === "SANDBOX" ? <TestCards now={view.now} onChoose={fillIn} /> : null}
      <Button type="submit" busy={link.busy} busyText="Asking your bank">
        Save this card
      </Button>
      <p className="card-promise">
        Your card number goes straight to the card vault. {view.merchantName} never sees it, and we do not keep it.
      </p>
    </form>
  );
}

const fieldsOfVault: Readonly<Record<string, keyof CardEntry>> = {
  number: "number",
  expMonth: "expiry",
  expYear: "expiry",
  cvv: "cvv",
};

/** What the vault found wrong, field by field. */
function complaintsOf(problem: ApiProblem | null): CardComplaints {
  const found = (problem?.refusal.errors ?? []).flatMap(({ field, message }) => {
    const name = entryOf(fieldsOfVault, field);
    return name === undefined ? [] : [[name, message] as const];
  });
  return Object.fromEntries(found);
}

function Declined({ view, busy }: { readonly view: CardLinkView; readonly busy: boolean }) {
  if (view.status !== "declined" || busy) return null;
  return (
    <Notice tone="problem" title="Your bank declined the card">
      <p>{view.reason?.message ?? "The bank gave no reason."}</p>
    </Notice>
  );
}

function Refused({ problem }: { readonly problem: ApiProblem | null }) {
  if (problem === null || Object.keys(complaintsOf(problem)).length > 0) return null;
  return (
    <Notice tone="problem" title="Your card was not saved">
      <p>{problem.message}</p>
    </Notice>
  );
}
