/**
 * Some writes want to know that it is still the same person. The server refuses them with `proof_needed`; then one
 * window asks, and the request is sent again as it was. Requests that meet the refusal while it is open wait for it.
 */
export type ProofWay = "passkey" | "password" | "code";

/** Shows the window. True once the person has proved it, false when they closed it. */
type Ask = (ways: readonly ProofWay[]) => Promise<boolean>;

let ask: Ask | undefined;
let open: Promise<boolean> | undefined;

/** The window says that it is there. Returns how it leaves. */
export function answerProofs(window: Ask): () => void {
  ask = window;
  return () => {
    if (ask === window) ask = undefined;
  };
}

export function askForProof(ways: readonly ProofWay[]): Promise<boolean> {
  open ??= (ask?.(ways) ?? Promise.resolve(false)).finally(() => {
    open = undefined;
  });
  return open;
}
