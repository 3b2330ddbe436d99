/** Sends a request and returns its data; a refusal ends the run. A page's token takes the place of the key. */
export type Play = (
  method: "GET" | "POST" | "PUT",
  path: string,
  body?: Readonly<Record<string, unknown>>,
  token?: string,
) => Promise<Readonly<Record<string, unknown>>>;

export function advance(play: Play, by: Readonly<Record<string, unknown>>): Promise<unknown> {
  return play("POST", "/sandbox/clock/advance", by);
}
