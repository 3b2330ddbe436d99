/** The front door: one object with everything that a merchant's server calls. */
import { type Answer, createCaller, type Input, type Manner } from "./calling/caller.ts";
import { type CallOptions, type ClientOptions, checkSecretKey, settingsOf } from "./calling/settings.ts";
import { pageAt } from "./hosted-checkout.ts";
import { bills } from "./resources/bills.ts";
import { events } from "./resources/events.ts";
import { loans } from "./resources/loans.ts";
import { overview } from "./resources/overview.ts";
import { requests } from "./resources/requests.ts";
import { sandbox } from "./resources/sandbox.ts";
import { search } from "./resources/search.ts";
import { traces } from "./resources/traces.ts";
import { transfers } from "./resources/transfers.ts";
import { wallets } from "./resources/wallets.ts";
import { webhooks } from "./resources/webhooks.ts";

export interface JaraOptions extends ClientOptions {
  /** `sk_test_…` for a sandbox, `sk_live_…` for the live environment. Keep it on your server. */
  readonly secretKey: string;
  /**
   * A key is refused where there is a `window`, because a visitor can read it there and spend your money. This is for
   * what only looks like a browser: tests in jsdom, a desktop application of your own staff.
   */
  readonly dangerouslyAllowBrowser?: boolean | undefined;
}

/** A request to any path, for what has no method of its own. */
export interface RawRequest extends Input, CallOptions, Pick<Manner, "headers" | "wire"> {}

export class Jara {
  /** Payouts to Nigerian bank accounts. */
  readonly transfers: ReturnType<typeof transfers>;
  /** Airtime, data, electricity, TV and betting. */
  readonly bills: ReturnType<typeof bills>;
  /** Loan requests for applicants; `loans.bnpl` is the checkout on credit. */
  readonly loans: ReturnType<typeof loans>;
  /** Balances, statements, sub-accounts. */
  readonly wallets: ReturnType<typeof wallets>;
  /** Endpoints, and the check of what arrives at them. */
  readonly webhooks: ReturnType<typeof webhooks>;
  /** Everything that happened, and a feed to follow it. */
  readonly events: ReturnType<typeof events>;
  /**
   * Finds records by what a person has at hand: a reference, an id, an account number, a telephone, an amount, a name.
   * The best fit comes first; at most 20.
   */
  readonly search: ReturnType<typeof search>;
  /** The figures of a period, and what needs attention now. */
  readonly overview: ReturnType<typeof overview>;
  /** Where the money is, and why. */
  readonly traces: ReturnType<typeof traces>;
  /** What your keys asked, and what was returned. */
  readonly requests: ReturnType<typeof requests>;
  /** Steers a sandbox: its clock, its money, its outcomes. */
  readonly sandbox: ReturnType<typeof sandbox>;
  readonly #send: (name: string, request: RawRequest) => Promise<Answer>;

  constructor(options: JaraOptions) {
    const { secretKey, dangerouslyAllowBrowser = false } = options;
    checkSecretKey(secretKey, dangerouslyAllowBrowser);
    const settings = settingsOf(options);
    const caller = createCaller(settings, () => secretKey);
    this.transfers = transfers(caller);
    this.bills = bills(caller);
    this.loans = loans(caller);
    this.wallets = wallets(caller);
    this.webhooks = webhooks(caller);
    this.events = events(caller);
    this.search = search(caller);
    this.overview = overview(caller);
    this.traces = traces(caller);
    this.requests = requests(caller);
    this.sandbox = sandbox({ ...caller, open: (url) => pageAt(settings.baseUrl, url, options) });
    this.#send = (name, { path, query, body, headers, wire, ...rest }) =>
      caller.send(name, { path, query, body }, rest, { ...(headers && { headers }), ...(wire && { wire }) });
  }

  /**
   * Sends any request with the retries, the key and the errors of every other, and returns its `data`:
   * `jara.request("GET /transfers/{id}", { path: { id } })`. Keys are camelCase on both ways, unless `wire` is true.
   */
  async request<Data = unknown>(name: string, request: RawRequest = {}): Promise<Data> {
    return (await this.#send(name, request)).body["data"] as Data;
  }
}
