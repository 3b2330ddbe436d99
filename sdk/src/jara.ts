/** The front door: one object with everything that a merchant's server calls. */
import { type Answer, createCaller, type Input, type Manner } from "./calling/caller.ts";
import { type CallOptions, type ClientOptions, checkSecretKey, settingsOf } from "./calling/settings.ts";
import { transfers } from "./resources/transfers.ts";

export interface JaraOptions extends ClientOptions {
  /** `sk_test_…` for a sandbox, `sk_live_…` for the live environment. Keep it on your server. */
  readonly secretKey: string;
}

/** A request to any path, for what has no method of its own. */
export interface RawRequest extends Input, CallOptions, Pick<Manner, "headers" | "wire"> {}

export class Jara {
  readonly transfers: ReturnType<typeof transfers>;
  readonly #send: (name: string, request: RawRequest) => Promise<Answer>;

  constructor(options: JaraOptions) {
    const { secretKey } = options;
    checkSecretKey(secretKey);
    const caller = createCaller(settingsOf(options), () => secretKey);
    this.transfers = transfers(caller);
    this.#send = (name, { path, query, body, headers, wire, ...rest }) =>
      caller.send(name, { path, query, body }, rest, { ...(headers && { headers }), ...(wire && { wire }) });
  }

  /**
   * Sends any request with the retries, the key and the errors of every other: `jara.request("GET /transfers/{id}", {
   * path: { id } })`. Keys are camelCase on both ways, unless `wire` is true.
   */
  async request<Data = unknown>(name: string, request: RawRequest = {}): Promise<Data> {
    return (await this.#send(name, request)).body["data"] as Data;
  }
}
