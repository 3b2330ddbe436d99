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

  const tokenizePath = view?.tokenizePath;
  const submit = useCallback(
    async (card: CardDetails) => {
      if (tokenizePath === undefined) return;
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

  usePolling(view?.status === "processing", reload);
  return { view, failure, problem, busy, submit, reload, forgive: () => setProblem(null) };
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
