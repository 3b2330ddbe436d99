/**
 * Seconds left until a moment of the server's clock. A sandbox's clock may be years away from the customer's, so the
 * page only measures how long ago the server told it the time.
 */
import { useEffect, useState } from "react";

export function useCountdown(until: string | null, serverNow: string): number {
  const [left, setLeft] = useState(() => secondsBetween(serverNow, until));
  useEffect(() => {
    const total = secondsBetween(serverNow, until);
    const started = performance.now();
    const tick = () => setLeft(Math.max(0, total - (performance.now() - started) / 1_000));
    tick();
    if (total === 0) return;
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, [until, serverNow]);
  return left;
}

function secondsBetween(from: string, until: string | null): number {
  if (until === null) return 0;
  return Math.max(0, (Date.parse(until) - Date.parse(from)) / 1_000);
}
