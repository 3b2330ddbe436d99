/**
 * The page's only memory is what the server last said. Every action answers with the whole view; after a refusal, or
 * when the customer comes back to the tab, the view is read again, because another device may have gone on meanwhile.
 */
import { useCallback, useEffect, useRef, useState } from "react";
import { ApiProblem, callApi } from "../shared/call-api.ts";
import type { CheckoutView } from "./checkout-view.ts";
import { isOnlyPending } from "./reason-text.ts";

export type Action = "terms" | "consent/request" | "consent/verify" | "card-link" | "cancel";

export interface Checkout {
  readonly view: CheckoutView | null;
  /** Why nothing can be shown at all. */
  readonly failure: ApiProblem | null;
  /** Why the last action was refused. */
  readonly problem: ApiProblem | null;
  readonly busy: Action | null;
  /** True when the server took it. */
  act(action: Action, body?: Readonly<Record<string, unknown>>): Promise<boolean>;
  reload(): Promise<void>;
}

const pollMs = 1_500;

export function useCheckout(token: string): Checkout {
  const [view, setView] = useState<CheckoutView | null>(null);
  const [failure, setFailure] = useState<ApiProblem | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [busy, setBusy] = useState<Action | null>(null);
  const acting = useRef(false);
  // What was read before an action began or ended is older than what the action answers with.
  const age = useRef(0);

  const reload = useCallback(async () => {
    const asked = age.current;
    try {
      const fresh = await callApi<CheckoutView>("/hosted/checkout", { token });
      if (age.current === asked) setView(fresh);
      setFailure(null);
    } catch (error) {
      const refused = asProblem(error);
      setFailure(refused);
      // The page was closed meanwhile: what is on the screen of a forgotten tab goes too.
      if (refused.opensNothing) setView(null);
    }
  }, [token]);

  const act = useCallback<Checkout["act"]>(
    async (action, body) => {
      if (acting.current) return false;
      acting.current = true;
      age.current += 1;
      setBusy(action);
      try {
        await perform(action, { token, body, show: setView });
        age.current += 1;
        setProblem(null);
        return true;
      } catch (error) {
        const refused = asProblem(error);
        // Another device was faster; the view that comes next shows where it got to.
        setProblem(refused.code === "consent_given" ? null : refused);
        await reload();
        return false;
      } finally {
        acting.current = false;
        setBusy(null);
      }
    },
    [token, reload],
  );

  useFreshView(view, reload);
  return { view, failure, problem, busy, act, reload };
}

interface Performing {
  readonly token: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  show(view: CheckoutView): void;
}

async function perform(action: Action, { token, body, show }: Performing): Promise<void> {
  const request = { method: "POST", token, ...(body === undefined ? {} : { body }) } as const;
  if (action !== "card-link") return show(await callApi<CheckoutView>(`/hosted/checkout/${action}`, request));
  const { url } = await callApi<{ url: string }>("/hosted/checkout/card-link", request);
  window.location.assign(url);
}

/** Reads at the start, while money is under way, and whenever the customer looks at the page again. */
function useFreshView(view: CheckoutView | null, reload: () => Promise<void>): void {
  useEffect(() => {
    void reload();
    const look = () => {
      if (document.visibilityState === "visible") void reload();
    };
    const restored = (event: PageTransitionEvent) => {
      if (event.persisted) void reload();
    };
    document.addEventListener("visibilitychange", look);
    window.addEventListener("pageshow", restored);
    return () => {
      document.removeEventListener("visibilitychange", look);
      window.removeEventListener("pageshow", restored);
    };
  }, [reload]);
  const waiting = view !== null && (view.step === "processing" || isOnlyPending(view));
  useEffect(() => {
    if (!waiting) return;
    const timer = setInterval(() => void reload(), pollMs);
    return () => clearInterval(timer);
  }, [waiting, reload]);
}

/** Anything but a refusal is a bug of the page, and the customer is told the same as when the server is away. */
function asProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  throw error;
}
