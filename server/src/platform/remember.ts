/** Reads something at most once in a while. Callers at the same time share one read; a failed read is not kept. */
export function rememberFor<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  let readAt = 0;
  return () => {
    const now = performance.now();
    if (current !== undefined && now - readAt < ms) return current;
    readAt = now;
    const reading = read();
    current = reading;
    reading.catch(() => {
      if (current === reading) current = undefined;
    });
    return reading;
  };
}
