/** What a page offers when a payout is more than its maker may pay alone: to ask a second person, with the same order. */
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { ApiProblem } from "../../shared/call-api.ts";
import { useEnvironment } from "../api/place.ts";
import { useAction } from "../api/queries.ts";
import { Button } from "../parts/button.tsx";
import { TextField } from "../parts/fields.tsx";
import { naira } from "../parts/figures.ts";
import { Failure } from "../parts/states.tsx";
import type { Approval } from "./approval.ts";

interface PayFailureProps {
  readonly error: unknown;
  /** What was to be paid. */
  readonly order: { readonly payout: object } | { readonly batch: object };
  readonly onAsked?: () => void;
  /** The earlier payment that this one repeats on purpose. */
  readonly payAgain?: string | undefined;
}

export function PayFailure({ error, order, onAsked, payAgain }: PayFailureProps) {
  if (!(error instanceof ApiProblem && error.code === "approval_needed")) return <Failure error={error} />;
  return (
    <AskApproval refusal={error} order={order} payAgain={payAgain} {...(onAsked === undefined ? {} : { onAsked })} />
  );
}

type AskProps = Pick<PayFailureProps, "order" | "onAsked" | "payAgain"> & { readonly refusal: ApiProblem };

function AskApproval({ refusal, order, onAsked, payAgain }: AskProps) {
  const { at } = useEnvironment();
  const navigate = useNavigate();
  const action = useAction<Approval>();
  // One key for the question: whoever presses twice asks once.
  const [key] = useState(() => crypto.randomUUID());
  const { limit, spent } = refusal.refusal.data;
  const ask = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const note = String(new FormData(event.currentTarget).get("note") ?? "").trim();
    action.mutate(
      { path: "/approvals", key, payAgain, body: { ...order, ...(note === "" ? {} : { note }) } },
      {
        onSuccess: ({ id }) => {
          onAsked?.();
          navigate({ to: at(`/approvals/${id}`) });
        },
      },
    );
  };
  return (
    <form onSubmit={ask} className="m-4 grid gap-3 rounded-lg border border-line bg-warning-tint p-4">
      <p role="alert" className="font-semibold text-warning">
        This needs a second person.
      </p>
      <p>
        {`You may pay ${naira(Number(limit))} alone within 24 hours and have paid ${naira(Number(spent))}. `}
        Nothing was sent. Ask, and somebody else who may pay decides.
      </p>
      <TextField label="Note for the second person" name="note" maxLength={500} />
      {action.isError ? <Failure error={action.error} /> : null}
      <div>
        <Button type="submit" look="primary" disabled={action.isPending}>
          {action.isPending ? "One moment" : "Ask for approval"}
        </Button>
      </div>
    </form>
  );
}
