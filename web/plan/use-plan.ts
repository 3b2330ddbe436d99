/** The plan's view and what can be done with it. */
import { type PageView, usePageView, type ViewSource } from "../shared/use-page-view.ts";
import type { PlanView } from "./plan-view.ts";

export type PlanAction = "pay" | "card-link" | "leave";

export type Plan = PageView<PlanView, PlanAction>;

const source: ViewSource<PlanView> = {
  path: "/hosted/plan/visit",
  isWaiting: ({ charge }) => charge?.status === "processing",
  take(answer, action) {
    if (action === "pay") return answer as PlanView;
    if (action === "card-link") window.location.assign((answer as { readonly url: string }).url);
    return null;
  },
};

export function usePlan(visitToken: string): Plan {
  return usePageView<PlanView, PlanAction>(visitToken, source);
}
