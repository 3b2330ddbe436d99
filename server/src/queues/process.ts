/** A server or a worker of this database. It says every few seconds that it lives; one that was killed falls silent. */
export interface OurProcess {
  readonly id: string;
  readonly role: "api" | "worker" | "all";
  readonly version: string;
  readonly host: string;
  readonly pid: number;
  readonly clockAheadMs: number;
  readonly startedAt: Date;
  readonly heardAt: Date;
  readonly silentSeconds: number;
}

/** A copy of the database that follows it. */
export interface Standby {
  readonly name: string;
  readonly connected: boolean;
  readonly behindBytes: number;
  /** Null where our login may not see it. */
  readonly behindSeconds: number | null;
}

export const beatEveryMs = 10_000;

/** After three beats that did not come. */
const silentAfterSeconds = 35;

export function isAlive({ silentSeconds }: Pick<OurProcess, "silentSeconds">): boolean {
  return silentSeconds <= silentAfterSeconds;
}
