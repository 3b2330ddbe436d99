/**
 * The token of a visit is this tab's own: it is in no address, so that a person who is sent the address stays outside,
 * and it goes when the tab is closed.
 */
import { useCallback, useState } from "react";

/** Why the customer stands at the door again. */
export type Farewell = "left" | "ended";

/** How a visit was left. It is open where the server could not be told: then it ends by itself at this moment. */
export type Left = { readonly why: Farewell } | { readonly why: "open"; readonly until: string };

export interface Visit {
  readonly token: string | null;
  begin(token: string): void;
  end(): void;
}

export function useVisit(pageId: string): Visit {
  const name = `jara/plan-visit/${pageId}`;
  const [token, setToken] = useState(() => quietly(() => window.sessionStorage.getItem(name)));
  const begin = useCallback(
    (fresh: string) => {
      quietly(() => window.sessionStorage.setItem(name, fresh));
      setToken(fresh);
    },
    [name],
  );
  const end = useCallback(() => {
    quietly(() => window.sessionStorage.removeItem(name));
    setToken(null);
  }, [name]);
  return { token, begin, end };
}

/** A browser may forbid storage; then a reload needs a new code. */
function quietly<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
