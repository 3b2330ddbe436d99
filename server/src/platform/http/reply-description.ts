import type { TSchema } from "typebox";

/** What a success of an endpoint looks like. */
export interface ReplyDescription<D extends TSchema> {
  readonly status: 200 | 201 | 202;
  readonly message: string;
  /** The loans family's title. */
  readonly title?: string;
  readonly data: D;
  /** Further statuses of a success, each with what it means: 200 for a reference that was used before. */
  readonly also?: Readonly<Partial<Record<200 | 202, string>>>;
  /** Headers of this endpoint's own, each with what it says. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The reply is a page: `pagination` or, under /loans, `meta` accompanies the data. */
  readonly paged?: boolean;
  /** What seldom changes carries an ETag, and a caller who has it already gets 304. */
  readonly cached?: boolean;
  /** Further media types that a GET can answer in, each with an example; Accept decides. */
  readonly alsoAs?: Readonly<Record<string, string>>;
}
