import { cardName } from "../shared/card-name.ts";
import { Outcome } from "../shared/outcome.tsx";
import { ReturnLink } from "../shared/return-link.tsx";
import { StepHeading } from "../shared/step-heading.tsx";
import type { CardLinkView } from "./card-link-view.ts";

const returnAfterSeconds = 4;

export function CardOutcome({ view }: { readonly view: CardLinkView }) {
  switch (view.status) {
    case "linked":
      return <Linked view={view} />;
    case "expired":
      return (
        <Ended
          view={view}
          title="This link has expired"
          text="A card link works for 30 minutes. Go back and open a new one."
        />
      );
    case "stale":
      return (
        <Ended
          view={view}
          title="A newer link is open"
          text="Only the newest link works. Use that one, or go back and open another."
        />
      );
    default:
      return <Asking />;
  }
}

function Asking() {
  return (
    <div className="asking">
      <span className="spinner spinner-large" aria-hidden="true" />
      <div role="status">
        <StepHeading title="Asking your bank">This takes a few seconds. Please keep this page open.</StepHeading>
      </div>
    </div>
  );
}

function Linked({ view: { card, returnUrl } }: { readonly view: CardLinkView }) {
  const name = card === null ? "Your card" : `Your ${cardName(card)}`;
  return (
    <Outcome tone="good" icon="check" title="Your card is saved" text={`${name} will be used for your payments.`}>
      {returnUrl === null ? (
        <p>You can close this page now.</p>
      ) : (
        <ReturnLink url={returnUrl} afterSeconds={returnAfterSeconds}>
          Continue
        </ReturnLink>
      )}
    </Outcome>
  );
}

interface EndedProps {
  readonly view: CardLinkView;
  readonly title: string;
  readonly text: string;
}

function Ended({ view, title, text }: EndedProps) {
  return (
    <Outcome tone="neutral" icon="clock" title={title} text={text}>
      {view.returnUrl === null ? null : <ReturnLink url={view.returnUrl}>Go back</ReturnLink>}
    </Outcome>
  );
}
