/**
 * A page's only memory is what the server last said. Every action returns the whole view; after a refusal, or when
 * the customer comes back to the tab, the view is read again, because another device may have gone on meanwhile.
 */
import { useCallback, useEffect, useRef, useState } from "react";
import { ApiProblem, callApi } from "./call-api.ts";

type Body = Readonly<Record<string, unknown>>;

/** Where a page's view comes from. It is made once: a new one would begin everything again. */
export interface ViewSource<View> {
  readonly path: string;
  /** Something is under way: the view is read again and again. */
  isWaiting(view: View): boolean;
  /** Refusals that the next view tells better. */
  readonly untold?: readonly string[];
  /** Takes what an action returns and says what is to be shown; null when the page is being left. */
  take?(answer: unknown, action: string): View | null;
}

/** Whether the server took it, and why not. Without a problem it was not even sent: another action is under way. */
export interface Acted {
  readonly taken: boolean;
  readonly problem: ApiProblem | null;
}

export interface PageView<View, Action extends string> {
  readonly view: View | null;
  /** Why nothing can be shown at all. */
  readonly failure: ApiProblem | null;
  /** Why the last action was refused. */
  readonly problem: ApiProblem | null;
  readonly busy: Action | null;
  act(action: Action, body?: Body): Promise<Acted>;
  reload(): Promise<void>;
}

const pollMs = 1_500;

export function usePageView<View, Action extends string>(
  token: string,
  source: ViewSource<View>,
): PageView<View, Action> {
  const [view, setView] = useState<View | null>(null);
  const [failure, setFailure] = useState<ApiProblem | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [busy, setBusy] = useState<Action | null>(null);
  const acting = useRef(false);
  // What was read before an action began or ended is older than what the action returns.
  const age = useRef(0);

  const reload = useCallback(async () => {
    const asked = age.current;
    try {
      const fresh = await callApi<View>(source.path, { token });
      if (age.current === asked) setView(fresh);
      setFailure(null);
    } catch (error) {
      const refused = asProblem(error);
      // A read that an action has overtaken says nothing about now.
      if (age.current !== asked && !refused.opensNothing) return;
      setFailure(refused);
      // The page was closed meanwhile: what is on the screen of a forgotten tab goes too.
      if (refused.opensNothing) setView(null);
    }
  }, [token, source]);

  const act = useCallback<PageView<View, Action>["act"]>(
    async (action, body) => {
      if (acting.current) return { taken: false, problem: null };
      acting.current = true;
      age.current += 1;
      setBusy(action);
      try {
        const request = { method: "POST", token, ...(body === undefined ? {} : { body }) } as const;
        const answer = await callApi<unknown>(`${source.path}/${action}`, request);
        const shown = source.take === undefined ? (answer as View) : source.take(answer, action);
        if (shown !== null) setView(shown);
        age.current += 1;
        setProblem(null);
        // The server was reached: a line that was broken before is not broken any more.
        setFailure(null);
        return { taken: true, problem: null };
      } catch (error) {
        const refused = asProblem(error);
        setProblem(source.untold?.includes(refused.code) === true ? null : refused);
        await reload();
        return { taken: false, problem: refused };
      } finally {
        acting.current = false;
        setBusy(null);
      }
    },
    [token, source, reload],
  );

  useFreshView(view !== null && source.isWaiting(view), reload);
  return { view, failure, problem, busy, act, reload };
}

/** Reads at the start, while something is under way, and whenever the customer looks at the page again. */
function useFreshView(waiting: boolean, reload: () => Promise<void>): void {
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
