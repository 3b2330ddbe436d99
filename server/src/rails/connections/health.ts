/**
 * How a connection's calls fare in this process: of the last calls, how many got no answer. One that mostly does not
 * answer is passed over for a minute; then a few new orders may try it again. A refusal is an answer.
 */
export interface CallHealth {
  record(connectionId: string, answered: boolean): void;
  of(connectionId: string): HealthReading;
}

export interface HealthReading {
  readonly state: "ok" | "failing";
  readonly calls: number;
  readonly unanswered: number;
}

const remembered = 20;
const enoughToJudge = 6;
/** At least this share of calls without an answer makes a connection failing. */
export const failingShare = 0.5;
const restMs = 60_000;

interface Calls {
  readonly answers: boolean[];
  failingUntil: number;
}

export function createCallHealth(now: () => number = () => performance.now()): CallHealth {
  const known = new Map<string, Calls>();
  const callsOf = (connectionId: string): Calls =>
    known.getOrInsertComputed(connectionId, () => ({ answers: [], failingUntil: 0 }));
  const unansweredOf = ({ answers }: Calls): number => answers.filter((answered) => !answered).length;
  return {
    record(connectionId, answered) {
      const calls = callsOf(connectionId);
      calls.answers.push(answered);
      if (calls.answers.length > remembered) calls.answers.shift();
      const isBad = calls.answers.length >= enoughToJudge && unansweredOf(calls) >= calls.answers.length * failingShare;
      if (isBad && !answered) calls.failingUntil = now() + restMs;
      if (answered && !isBad) calls.failingUntil = 0;
    },
    of(connectionId) {
      const calls = callsOf(connectionId);
      const state = calls.failingUntil > now() ? "failing" : "ok";
      return { state, calls: calls.answers.length, unanswered: unansweredOf(calls) };
    },
  };
}
