/** What a script can go by. cli/README.md has the same table. */
export const exitCodes = {
  ok: 0,
  /** A defect of ours. */
  unexpected: 1,
  /** The command line is not understood. */
  usage: 2,
  /** No server replies at this address. */
  unreachable: 3,
  /** No key, a wrong one, or a live one without --live. */
  key: 4,
  /** The server refused: bad input, not found, not enough money. */
  refused: 5,
  /** A reply was lost: it may have happened. */
  unknown: 6,
  /** What was waited for did not come in time. */
  late: 7,
  /** What was waited for came to another end: the payout or the bill failed. */
  failed: 8,
  /** A file of the archive is missing, or is not what was written. */
  damaged: 9,
  /** Ctrl-C, as shells count it. */
  interrupted: 130,
  /** SIGTERM, likewise. */
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
