import { useCallback, useEffect, useState } from "react";
import { Button } from "../shared/button.tsx";
import { ApiProblem } from "../shared/call-api.ts";
import { Loading } from "../shared/loading.tsx";
import { Outcome } from "../shared/outcome.tsx";
import { OrderState } from "./order-state.tsx";
import { type Order, readOrder } from "./shop-api.ts";
import { ShopFrame } from "./shop-frame.tsx";

const pollMs = 3_000;

export function OrderPage({ sessionId }: { readonly sessionId: string | null }) {
  const [order, setOrder] = useState<Order | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const load = useCallback(async () => {
    if (sessionId === null) return;
    try {
      setOrder(await readOrder(sessionId));
      setProblem(null);
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      setProblem(error);
    }
  }, [sessionId]);
  useEffect(() => void load(), [load]);
  const open = order?.status === "open";
  useEffect(() => {
    if (!open) return;
    const timer = setInterval(() => void load(), pollMs);
    return () => clearInterval(timer);
  }, [open, load]);
  return (
    <ShopFrame>
      {order === null && problem === null && sessionId !== null ? (
        <Loading text="Loading your order" />
      ) : (
        <div className="panel panel-lone">
          {order === null ? <NoOrder problem={problem} retry={load} /> : <OrderState order={order} />}
        </div>
      )}
    </ShopFrame>
  );
}

interface NoOrderProps {
  readonly problem: ApiProblem | null;
  retry(): Promise<void>;
}

function NoOrder({ problem, retry }: NoOrderProps) {
  const unknown = problem === null || problem.refusal.status === 404;
  return (
    <Outcome
      tone="bad"
      icon="warning"
      title={unknown ? "We do not know this order" : "The order could not be read"}
      text={unknown ? "It was made in another browser, or the sandbox was reset since." : problem.message}
    >
      {unknown ? (
        <a className="button button-primary" href="/shop">
          Go to the shop
        </a>
      ) : (
        <Button onPress={() => void retry()}>Try again</Button>
      )}
    </Outcome>
  );
}
