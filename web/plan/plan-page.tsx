import { useCallback, useState } from "react";
import type { PageAddress } from "../shared/page-token.ts";
import { ClosedDoor, Door } from "./door.tsx";
import { OpenVisit } from "./open-visit.tsx";
import { PlanVisit } from "./plan-visit.tsx";
import { type Farewell, type Left, useVisit } from "./use-visit.ts";

interface Unended {
  readonly token: string;
  readonly until: string;
}

export function PlanPage({ address: { id, token } }: { readonly address: PageAddress }) {
  const { token: visitToken, begin, end } = useVisit(id);
  const [farewell, setFarewell] = useState<Farewell | null>(null);
  const [unended, setUnended] = useState<Unended | null>(null);
  const leave = useCallback(
    (left: Left) => {
      if (left.why === "open" && visitToken !== null) setUnended({ token: visitToken, until: left.until });
      else if (left.why !== "open") setFarewell(left.why);
      end();
    },
    [end, visitToken],
  );
  const leftAtLast = () => {
    setUnended(null);
    setFarewell("left");
  };
  if (visitToken !== null) return <PlanVisit token={visitToken} onEnd={leave} />;
  if (unended !== null) return <OpenVisit {...unended} onLeft={leftAtLast} />;
  if (token === null) return <ClosedDoor problem={null} />;
  return <Door token={token} farewell={farewell} onEnter={begin} />;
}
