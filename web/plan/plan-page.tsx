import { useCallback, useState } from "react";
import type { PageAddress } from "../shared/page-token.ts";
import { ClosedDoor, Door } from "./door.tsx";
import { PlanVisit } from "./plan-visit.tsx";
import { type Farewell, useVisit } from "./use-visit.ts";

export function PlanPage({ address: { id, token } }: { readonly address: PageAddress }) {
  const { token: visitToken, begin, end } = useVisit(id);
  const [farewell, setFarewell] = useState<Farewell | null>(null);
  const leave = useCallback(
    (why: Farewell) => {
      setFarewell(why);
      end();
    },
    [end],
  );
  if (visitToken !== null) return <PlanVisit token={visitToken} onEnd={leave} />;
  if (token === null) return <ClosedDoor problem={null} />;
  return <Door token={token} farewell={farewell} onEnter={begin} />;
}
