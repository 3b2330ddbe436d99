/** Reads the link, and hands the card over: the number to the vault, and what the vault gives for it to the link. */
import { useCallback, useEffect, useState } from "react";
import { ApiProblem, callApi } from "../shared/call-api.ts";
import type { CardDetails } from "./card-entry.ts";
import type { CardLinkView } from "./card-link-view.ts";

export interface CardLink {
  readonly view: CardLinkView | null;
  /** Why nothing can be shown at all. */
  readonly failure: ApiProblem | null;
  /** Why the last card was not taken. */
  readonly problem: ApiProblem | null;
  readonly busy: boolean;
  submit(card: CardDetails): Promise<void>;
  /** Goes to the bank's own page, where that takes the card. */
  leave(): Promise<void>;
  /** Forgets why the last card was not taken. */
  forgive(): void;
  reload(): Promise<void>;
}

const pollMs = 1_500;

export function useCardLink(token: string): CardLink {
  const [view, setView] = useState<CardLinkView | null>(null);
  const [failure, setFailure] = useState<ApiProblem | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [busy, setBusy] = useState(false);

  const reload = useCallback(async () => {
    try {
      setView(await callApi<CardLinkView>("/hosted/card-link", { token }));
      setFailure(null);
    } catch (error) {
      const refused = asProblem(error);
      setFailure(refused);
      if (refused.opensNothing) setView(null);
    }
  }, [token]);

  const tokenizePath = view?.tokenizePath ?? null;
  const submit = useCallback(
    async (card: CardDetails) => {
      if (tokenizePath === null) return;
      setBusy(true);
      setProblem(null);
      try {
        const vaulted = await callApi<{ token: string }>(tokenizePath, {
          method: "POST",
          body: card,
          // The page's token is nobody's business but this server's.
          ...(tokenizePath.startsWith("/") ? { token } : {}),
        });
        const body = { cardToken: vaulted.token };
        setView(await callApi<CardLinkView>("/hosted/card-link/card", { method: "POST", token, body }));
      } catch (error) {
        setProblem(asProblem(error));
        await reload();
      } finally {
        setBusy(false);
      }
    },
    [token, tokenizePath, reload],
  );

  const leave = useCallback(async () => {
    setBusy(true);
    setProblem(null);
    const refused = await goToBank(token);
    setProblem(refused);
    setBusy(false);
    await reload();
  }, [token, reload]);

  useReturn(view, token, setView);
  usePolling(view?.status === "processing", reload);
  return { view, failure, problem, busy, submit, leave, reload, forgive: () => setProblem(null) };
}

/** Returns why the bank's page did not open. Where the bank refused, the link says so. */
async function goToBank(token: string): Promise<ApiProblem | null> {
  try {
    const { url } = await callApi<{ url: string | null }>("/hosted/card-link/start", { method: "POST", token });
    if (url !== null) window.location.assign(url);
    return null;
  } catch (error) {
    return asProblem(error);
  }
}

/** A customer who comes back from the bank's page wants to know at once. */
function useReturn(view: CardLinkView | null, token: string, show: (view: CardLinkView) => void): void {
  const cameBack = view?.status === "processing" && view.tokenizePath === null;
  useEffect(() => {
    if (!cameBack) return;
    // The server asks by itself too: a failure here only means that it takes longer.
    callApi<CardLinkView>("/hosted/card-link/ask", { method: "POST", token }).then(show, () => undefined);
  }, [cameBack, token, show]);
}

function usePolling(waiting: boolean, reload: () => Promise<void>): void {
  useEffect(() => void reload(), [reload]);
  useEffect(() => {
    if (!waiting) return;
    const timer = setInterval(() => void reload(), pollMs);
    return () => clearInterval(timer);
  }, [waiting, reload]);
}

function asProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  throw error;
}
