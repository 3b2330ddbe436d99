/** Whether there is room for two columns; what stands beside a step then would otherwise stand inside it. */
import { useSyncExternalStore } from "react";

const query = "(min-width: 56rem)";

export function useWideScreen(): boolean {
  return useSyncExternalStore(watch, () => window.matchMedia(query).matches);
}

function watch(onChange: () => void): () => void {
  const media = window.matchMedia(query);
  media.addEventListener("change", onChange);
  return () => media.removeEventListener("change", onChange);
}
