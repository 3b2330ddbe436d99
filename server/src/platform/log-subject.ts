/** What the code that runs now is about. Every line of the log names it, so that nobody has to pass ids along. */
import { AsyncLocalStorage } from "node:async_hooks";

interface LogSubject {
  readonly requestId?: string;
  readonly environmentId?: string | undefined;
  readonly recordId?: string;
}

const subjects = new AsyncLocalStorage<LogSubject>();

/** Lines that `work` writes, now or later, name the request, unless they are about a record that follows from it. */
export function aboutRequest<T>(subject: { requestId: string; environmentId: string | undefined }, work: () => T): T {
  return subjects.run(subject, work);
}

/** Lines that `work` writes, now or later, name the record. */
export function aboutRecord<T>(subject: { environmentId: string; recordId: string }, work: () => T): T {
  return subjects.run(subject, work);
}

/** The caller's own to change. */
export function logSubject(): object {
  return { ...subjects.getStore() };
}
