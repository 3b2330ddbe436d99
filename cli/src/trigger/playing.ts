/** What every flow is played with. */
import type { Connection } from "../connection.ts";

export interface Playing {
  readonly jara: Connection["jara"];
  /** For references that nobody has used. */
  readonly mark: string;
}

export interface Flow {
  readonly what: string;
  /** Returns what the event's data will name: an id or a reference. */
  play(playing: Playing): Promise<string>;
}

/** Somebody else each time: one person may borrow only so much. */
export function personOf(mark: string, bvnEnding = "1111") {
  const digits = String(Number.parseInt(mark.slice(-7), 36) % 10_000_000).padStart(7, "0");
  return {
    firstName: "Adaeze",
    lastName: "Okafor",
    phone: `+234803${digits}`,
    email: `${mark}@example.com`,
    bvn: `22${digits.slice(2)}${bvnEnding}`,
  };
}
