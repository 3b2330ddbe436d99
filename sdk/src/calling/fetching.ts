/** As much of `fetch` and `AbortSignal` as is used here, so that the types need neither DOM nor Node. */
export interface SignalLike {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

export interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal: SignalLike;
  readonly redirect: "manual";
}

export interface FetchReply {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

export type FetchLike = (url: string, init: FetchInit) => Promise<FetchReply>;

/** Looked up at each call, so that what replaces the global later is used too. */
export const globalFetch: FetchLike = (url, init) => fetch(url, init as RequestInit);
