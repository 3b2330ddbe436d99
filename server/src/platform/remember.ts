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

const mostKept = 10_000;

/** As rememberFor, with an answer of its own for each key. */
export function rememberEach<T>(ms: number, read: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const readers = new Map<string, () => Promise<T>>();
  return (key) => {
    const known = readers.get(key);
    if (known !== undefined) return known();
    if (readers.size >= mostKept) readers.clear();
    const reader = rememberFor(ms, () => read(key));
    readers.set(key, reader);
    return reader();
  };
}
