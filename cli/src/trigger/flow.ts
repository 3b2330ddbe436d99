import { personOf } from "../flows/people.ts";
import type { Playing } from "../flows/playing.ts";

/** How an event is played. */
export interface Flow {
  readonly what: string;
  /** Returns what the event's data will name: an id or a reference. */
  play(playing: Playing): Promise<string>;
}

/** Somebody else each time: one person may borrow only so much. */
export function someoneNew({ mark }: Playing, isKnown = true) {
  return personOf(mark, 0, isKnown);
}
