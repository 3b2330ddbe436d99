/** What `npm run verify` found to be otherwise than it must be. */
export interface Difference {
  readonly check: string;
  readonly subject: string;
  readonly expected: string;
  readonly found: string;
}
