import { Button } from "../shared/button.tsx";
import { Notice } from "../shared/notice.tsx";
import { StepHeading } from "../shared/step-heading.tsx";
import type { CardLinkView } from "./card-link-view.ts";
import { CardOutcome } from "./card-outcome.tsx";
import type { CardLink } from "./use-card-link.ts";

interface BankStepProps {
  readonly link: Pick<CardLink, "busy" | "problem" | "leave">;
  readonly view: CardLinkView;
}

/** Where the card is typed in on the bank's own page: the way there, and the wait after it. */
export function BankStep({ link, view }: BankStepProps) {
  if (view.status === "processing") {
    return (
      <div className="stack">
        <CardOutcome view={view} />
        <Button kind="link" busy={link.busy} busyText="Opening your bank's page" onPress={() => void link.leave()}>
          Go to your bank's page again
        </Button>
      </div>
    );
  }
  return (
    <div className="stack">
      <StepHeading title={view.status === "declined" ? "Try another card" : "Add your card"}>
        Your payments to {view.merchantName} are taken from it on the dates you agreed to. You type it in on your bank's
        page, which may take a small amount to check the card and gives it back.
      </StepHeading>
      {view.status === "declined" && !link.busy ? (
        <Notice tone="problem" title="Your bank declined the card">
          <p>{view.reason?.message ?? "The bank gave no reason."}</p>
        </Notice>
      ) : null}
      {link.problem === null ? null : (
        <Notice tone="problem" title="Your bank's page could not be opened">
          <p>{link.problem.message}</p>
        </Notice>
      )}
      <Button busy={link.busy} busyText="Opening your bank's page" onPress={() => void link.leave()}>
        Continue at your bank's page
      </Button>
      <p className="card-promise">
        {view.merchantName} never sees your card number, and it does not pass through this page.
      </p>
    </div>
  );
}
