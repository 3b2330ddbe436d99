import { Button } from "../shared/button.tsx";
import { Loading } from "../shared/loading.tsx";
import { MerchantMark } from "../shared/merchant-mark.tsx";
import { Outcome } from "../shared/outcome.tsx";
import { PageFrame } from "../shared/page-frame.tsx";
import { useStepFocus } from "../shared/use-step-focus.ts";
import { BankStep } from "./bank-step.tsx";
import { CardForm } from "./card-form.tsx";
import type { CardLinkView } from "./card-link-view.ts";
import { CardOutcome } from "./card-outcome.tsx";
import { type CardLink, useCardLink } from "./use-card-link.ts";

export function CardPage({ token }: { readonly token: string | null }) {
  return token === null ? <NoLink /> : <OpenLink token={token} />;
}

function OpenLink({ token }: { readonly token: string }) {
  const link = useCardLink(token);
  const { view, failure } = link;
  if (view !== null) return <LinkSteps link={link} view={view} />;
  if (failure === null) {
    return (
      <PageFrame environment={null}>
        <Loading text="Loading the card page" />
      </PageFrame>
    );
  }
  if (failure.opensNothing) return <NoLink />;
  return <NoLink retry={link.reload} text={failure.message} />;
}

function LinkSteps({ link, view }: { readonly link: CardLink; readonly view: CardLinkView }) {
  useStepFocus(view.status);
  return (
    <PageFrame environment={view.environment} footer={takesCards(view) ? <WayBack url={view.returnUrl} /> : null}>
      <main className="panel panel-lone stack">
        <MerchantMark name={view.merchantName} logo={view.merchantLogo} />
        <Step link={link} view={view} />
      </main>
    </PageFrame>
  );
}

function Step({ link, view }: { readonly link: CardLink; readonly view: CardLinkView }) {
  const atBank = view.tokenizePath === null;
  if (atBank && (takesCards(view) || view.status === "processing")) return <BankStep link={link} view={view} />;
  return takesCards(view) ? <CardForm key={view.status} link={link} view={view} /> : <CardOutcome view={view} />;
}

function WayBack({ url }: { readonly url: string | null }) {
  return url === null ? null : <a href={url}>Go back without adding a card</a>;
}

/** After one card was declined the same link takes another. */
function takesCards({ status }: CardLinkView): boolean {
  return status === "pending" || status === "declined";
}

interface NoLinkProps {
  readonly text?: string;
  readonly retry?: () => Promise<void>;
}

function NoLink({ text, retry }: NoLinkProps) {
  const unknown = "It is not complete, or it was made for another page. Go back to where you came from and try again.";
  return (
    <PageFrame environment={null}>
      <main className="panel panel-lone">
        <Outcome
          tone="bad"
          icon="warning"
          title={retry === undefined ? "This link does not work" : "We could not reach the server"}
          text={text ?? unknown}
        >
          {retry === undefined ? null : <Button onPress={() => void retry()}>Try again</Button>}
        </Outcome>
      </main>
    </PageFrame>
  );
}
