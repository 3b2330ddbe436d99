/**
 * Notes when keys are used without writing on every request: uses are gathered and written once a minute, and when the
 * server stops. A crash loses at most that minute, of a figure that nothing depends on.
 */
const flushEveryMs = 60_000;
const keysPerWrite = 1_000;

export type KeyUse = readonly [keyId: string, at: Date];

export interface LastUsed {
  note(keyId: string, at: Date): void;
  flush(): Promise<void>;
  /** Writes what is left and stops the timer. */
  close(): Promise<void>;
}

export interface LastUsedOptions {
  readonly write: (uses: readonly KeyUse[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

export function createLastUsed({ write, onError }: LastUsedOptions): LastUsed {
  let gathered = new Map<string, Date>();

  const flush = async (): Promise<void> => {
    const uses = [...gathered];
    gathered = new Map();
    for (let start = 0; start < uses.length; start += keysPerWrite) {
      await write(uses.slice(start, start + keysPerWrite));
    }
  };
  // A write that fails loses this minute's figures; the next minute's follow.
  const flushQuietly = () => flush().catch(onError);
  const timer = setInterval(flushQuietly, flushEveryMs);
  timer.unref();

  return {
    note: (keyId, at) => gathered.set(keyId, at),
    flush,
    async close() {
      clearInterval(timer);
      await flushQuietly();
    },
  };
}
