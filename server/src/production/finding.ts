/** What was looked at before the first merchant, and how it stands. */

export interface Finding {
  readonly topic: string;
  /** `missing` must be put right first; `look` is for a person to decide. */
  readonly verdict: "good" | "missing" | "look";
  readonly says: string;
  /** How to put it right. */
  readonly cure?: string;
}

export const good = (topic: string, says: string): Finding => ({ topic, verdict: "good", says });

export const missing = (topic: string, says: string, cure: string): Finding => ({
  topic,
  verdict: "missing",
  says,
  cure,
});

export const look = (topic: string, says: string, cure: string): Finding => ({ topic, verdict: "look", says, cure });
