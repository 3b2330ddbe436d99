/**
 * A reply in another media type, for what is too long to be held as a whole. Each chunk is asked for when the caller
 * has taken the one before.
 */
export interface Streamed {
  readonly mediaType: string;
  readonly chunks: AsyncIterable<string>;
  /** A caller who has not taken a chunk for so long is cut off. */
  readonly stallMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
}
