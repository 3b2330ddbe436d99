/**
 * The pages of the documentation site, in the order in which they are shown. A page's text has one place, the markdown
 * file that `source` names; its first heading is its title. Adding a page is adding a line here.
 */
export interface SitePage {
  /** Below /docs. */
  readonly slug: string;
  /** From the root of the repository. */
  readonly source: string;
  /** In the list of pages, where there is little room. */
  readonly label: string;
  /** One line about the page, for the overview, for search engines and for llms.txt. */
  readonly summary: string;
  /** Sections that only matter to people who work on the code. */
  readonly without?: readonly string[];
  /** How deep the list of sections on the page goes. */
  readonly deepest?: 2 | 3;
}

/** Something that the server shows beside the site. */
export interface SiteLink {
  readonly path: string;
  readonly label: string;
  readonly summary: string;
}

export interface SiteGroup {
  readonly title: string;
  readonly entries: readonly (SitePage | SiteLink)[];
}

const guide = (slug: string, label: string, summary: string): SitePage => ({
  slug,
  source: `docs/guides/${slug}.md`,
  label,
  summary,
});

export const groups: readonly SiteGroup[] = [
  {
    title: "Start",
    entries: [
      guide(
        "quick-start",
        "Quick start",
        "From a fresh clone to a payout, a bill, a loan and a webhook in ten minutes.",
      ),
      guide("sandbox", "Sandbox", "Every magic input, the clock, held rails, and how to decide outcomes by hand."),
      guide(
        "console",
        "Console",
        "See payouts, loans and events in a browser, and act on them; people and their roles.",
      ),
      guide(
        "going-live",
        "Going live",
        "Connect providers, route orders, fund the lender, and make the first live payout.",
      ),
    ],
  },
  {
    title: "Products",
    entries: [
      guide("payouts", "Payouts", "Pay bank accounts one by one or in bulk, check names first, and know the fee."),
      guide("bills", "Bills", "Sell airtime, data, electricity, TV and betting top-ups, and earn the commission."),
      guide("loans", "Loans", "Quote, create, follow and repay loans for applicants."),
      guide("checkout", "Checkout", "Let customers buy now and pay later, on the hosted page or through the API."),
      guide(
        "wallets",
        "Wallets",
        "Balances, sub-accounts with their own account number, statements, own-account moves.",
      ),
    ],
  },
  {
    title: "Building blocks",
    entries: [
      guide("webhooks", "Webhooks", "Receive signed events, check them, and find what you missed."),
      {
        slug: "events",
        source: "docs/events.md",
        label: "Events",
        summary: "Every event, when it is sent, and the body that arrives.",
      },
      {
        slug: "errors",
        source: "docs/errors.md",
        label: "Errors",
        summary: "Every error code with its cause and its cure, and how to handle errors in a program.",
        deepest: 2,
      },
      guide(
        "where-is-my-money",
        "Where is my money?",
        "Follow a payment step by step: every check, posting, answer and event.",
      ),
      guide("idempotency", "Idempotency", "Send a request again without paying twice: references and Idempotency-Key."),
      guide("pagination", "Pagination", "Pages, filters, exact totals, and statements as CSV."),
      {
        slug: "credit-policy",
        source: "docs/credit-policy.md",
        label: "Credit policy",
        summary: "Who may buy on credit, how much and for how long, and what every refusal means.",
      },
    ],
  },
  {
    title: "Tools",
    entries: [
      {
        path: "/docs/reference",
        label: "API reference",
        summary: "Every endpoint with its fields, replies and errors, and a button that sends the request.",
      },
      {
        slug: "sdk",
        source: "sdk/README.md",
        label: "SDK",
        summary: "@jara/sdk, the typed client for TypeScript and JavaScript, safe to retry, without dependencies.",
        without: ["How it is made"],
      },
      {
        slug: "command-line",
        source: "cli/README.md",
        label: "Command line",
        summary: "The jara command: webhooks on localhost, played flows, payouts, the sandbox's clock.",
        without: ["Where a line is"],
      },
      {
        slug: "examples",
        source: "examples/README.md",
        label: "Examples",
        summary: "Whole shops to copy: plain Node, Fastify, Next.js, Python and PHP.",
      },
    ],
  },
  {
    title: "Operating",
    entries: [
      {
        slug: "operating",
        source: "docs/runbooks/operate.md",
        label: "Runbook",
        summary: "Running Jara for merchants: what it needs, where is my money, alerts, keys, logs.",
      },
      {
        slug: "alerts",
        source: "docs/runbooks/alerts.md",
        label: "Alerts",
        summary: "What each alert means, and what to do: queues, unknown payments, books, clocks, providers.",
      },
      {
        slug: "upgrading",
        source: "docs/runbooks/upgrade.md",
        label: "Upgrading, and going back",
        summary: "Old and new servers side by side, what a migration may do, and the ways back.",
      },
      {
        slug: "cluster",
        source: "docs/runbooks/cluster.md",
        label: "Three database machines",
        summary:
          "Patroni, pgbouncer and haproxy: what runs where, restarts without a failed request, what happens when a part is lost.",
      },
      {
        slug: "capacity",
        source: "docs/capacity.md",
        label: "Ten years of data",
        summary: "Bytes of every order, a billion entries, and when the archive and replicas are due.",
      },
      {
        slug: "providers",
        source: "docs/runbooks/connections.md",
        label: "When a provider fails",
        summary: "What to do when a bank, biller or card provider does not do what it should.",
      },
      {
        slug: "rails",
        source: "docs/rails.md",
        label: "Live rails",
        summary: "Which providers can be connected, what was proved about each, and what was not.",
      },
      {
        slug: "security",
        source: "SECURITY.md",
        label: "Security",
        summary: "How keys and personal data are kept, exchanging the master key, reporting a weakness.",
      },
      {
        path: "/docs/operator",
        label: "Operator reference",
        summary: "Every endpoint that operators call.",
      },
    ],
  },
];

export const isPage = (entry: SitePage | SiteLink): entry is SitePage => "slug" in entry;

export const pages: readonly SitePage[] = groups.flatMap(({ entries }) => entries.filter(isPage));

export const addressOf = (entry: SitePage | SiteLink): string => (isPage(entry) ? `/docs/${entry.slug}` : entry.path);
