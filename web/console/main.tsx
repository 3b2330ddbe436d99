import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./console.css";
import { ApiProblem } from "../shared/call-api.ts";
import { createConsoleRouter } from "./routes.tsx";
import { ProofWindow } from "./shell/proof-window.tsx";
import { applyTheme, storedTheme } from "./shell/theme.ts";

applyTheme(storedTheme());

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A refusal stays one; only a server that could not be reached is asked again.
      retry: (count, error) => count < 2 && error instanceof ApiProblem && error.code === "unreachable",
    },
  },
  queryCache: new QueryCache({ onError: leaveWhenOver }),
  mutationCache: new MutationCache({ onError: leaveWhenOver }),
});
const router = createConsoleRouter(queries);

function leaveWhenOver(error: unknown): void {
  const isOver = error instanceof ApiProblem && error.refusal.status === 401;
  if (isOver && !/\/(sign-in|join)$/.test(router.state.location.pathname)) leave();
}

/** The session has ended: what was read in it goes, and its address is kept for when the person is back. */
function leave(): void {
  const to = router.state.location.href.replace(/^\/console/, "");
  queries.clear();
  router.navigate({ to: "/sign-in", search: { to } });
}

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
      <ProofWindow />
    </QueryClientProvider>
  </StrictMode>,
);
