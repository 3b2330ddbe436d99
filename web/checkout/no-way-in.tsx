import { Button } from "../shared/button.tsx";
import type { ApiProblem } from "../shared/call-api.ts";
import { Outcome } from "../shared/outcome.tsx";
import { PageFrame } from "../shared/page-frame.tsx";
import { problemText } from "./problem-text.ts";

interface NoWayInProps {
  /** Null when the address itself is not complete. */
  readonly problem: ApiProblem | null;
  readonly onRetry?: () => Promise<void>;
}

const invalidLink = {
  title: "This link does not work",
  text: "It is not complete, or it belongs to another checkout. Go back to the shop and open the checkout from there.",
};

export function NoWayIn({ problem, onRetry }: NoWayInProps) {
  const closed = problem === null || problem.opensNothing;
  const { title, text } =
    problem === null || problem.code === "invalid_page_token" ? invalidLink : problemText(problem);
  return (
    <PageFrame environment={null}>
      <main className="panel panel-lone">
        <Outcome tone="bad" icon="warning" title={title} text={text}>
          {closed || onRetry === undefined ? null : <Button onPress={() => void onRetry()}>Try again</Button>}
        </Outcome>
      </main>
    </PageFrame>
  );
}
