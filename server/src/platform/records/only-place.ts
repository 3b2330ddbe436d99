import { commonProblem } from "../problem.ts";

/**
 * An operator names a record by its id alone. Sandboxes that stand still draw their ids from a seed, so two of them can
 * hold the same one; an operator's word must not reach either of them by chance. Throws invalid_state.
 */
export function onlyPlace<Place>(places: readonly Place[]): Place | undefined {
  if (places.length <= 1) return places[0];
  throw commonProblem("invalid_state", {
    message: "Several sandboxes have a record with this id, because their clocks stand still under the same seed.",
  });
}
