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
  /** Below 1, the search lists pages of other groups first. */
  readonly weight?: number;
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
      guide(
        "api-keys",
        "API keys and limits",
        "Secret keys for test and live mode, scopes, the IP whitelist, and the rate limit.",
      ),
      guide("sandbox", "Sandbox", "Test inputs, simulation controls and the clock."),
      guide("console", "Console", "View and manage payouts, loans and events in a browser; team members and roles."),
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
      guide("payouts", "Payouts", "Send single and bulk payouts to bank accounts, verify names, and get the fee."),
      guide("bills", "Bills", "Sell airtime, data, electricity, TV and betting top-ups, and earn the commission."),
      guide("loans", "Loans", "Quote, create, follow and repay loans for applicants."),
      guide(
        "checkout",
        "Checkout",
        "Let customers buy now and pay in instalments, on the hosted page or through the API.",
      ),
      guide(
        "wallets",
        "Wallets",
        "Balances, sub-accounts with their own account numbers, statements, and moves between your accounts.",
      ),
    ],
  },
  {
    title: "Building blocks",
    entries: [
      guide("webhooks", "Webhooks", "Receive signed events, verify signatures, and recover missed events."),
      {
        slug: "events",
        source: "docs/events.md",
        label: "Events",
        summary: "Every event, when it is sent, and its payload.",
      },
      {
        slug: "errors",
        source: "docs/errors.md",
        label: "Errors",
        summary: "Every error code with its cause and what to do, and how to handle errors in a program.",
        deepest: 2,
      },
      guide(
        "where-is-my-money",
        "Where is my money?",
        "Trace a payment step by step: every check, posting, bank response and event.",
      ),
      guide("idempotency", "Idempotency", "Retry a request without paying twice: references and Idempotency-Key."),
      guide("pagination", "Pagination", "Pages, filters, exact totals, and statements as CSV."),
      {
        slug: "credit-policy",
        source: "docs/credit-policy.md",
        label: "Credit policy",
        summary: "Who may buy on credit, limits and tenors, and what each refusal means.",
      },
    ],
  },
  {
    title: "Tools",
    entries: [
      {
        path: "/docs/reference",
        label: "API reference",
        summary: "Every endpoint with its fields, responses and errors, and a button that sends the request.",
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
        summary: "The jara command: webhooks on localhost, simulated flows, payouts, the sandbox clock.",
        without: ["Where a line is"],
      },
      {
        slug: "examples",
        source: "examples/README.md",
        label: "Examples",
        summary: "Complete shops to copy: plain Node, Fastify, Next.js, Python and PHP.",
      },
    ],
  },
  {
    title: "Operating",
    weight: 0.4,
    entries: [
      {
        slug: "operating",
        source: "docs/runbooks/operate.md",
        label: "Runbook",
        summary: "Running Jara for merchants: what it needs, backups, monitoring and metrics, keys, logs.",
      },
      {
        slug: "alerts",
        source: "docs/runbooks/alerts.md",
        label: "Alerts",
        summary: "What each alert means, and what to do: queues, unknown payments, ledger, clocks, providers.",
      },
      {
        slug: "upgrading",
        source: "docs/runbooks/upgrade.md",
        label: "Upgrade and rollback",
        summary: "Rolling upgrades, migrations, and how to go back to the previous release.",
      },
      {
        slug: "cluster",
        source: "docs/runbooks/cluster.md",
        label: "Three database machines",
        summary: "Patroni, pgbouncer and haproxy: layout, rolling restarts, and what happens when a part fails.",
      },
      {
        slug: "capacity",
        source: "docs/capacity.md",
        label: "Ten years of data",
        summary: "Storage per order, a billion ledger entries, and when to add the archive and replicas.",
      },
      {
        slug: "providers",
        source: "docs/runbooks/connections.md",
        label: "Provider failures",
        summary: "What to do when a bank, biller or card provider fails.",
      },
      {
        slug: "rails",
        source: "docs/rails.md",
        label: "Live rails",
        summary: "Supported providers, what is verified about each, and what is not.",
      },
      {
        slug: "security",
        source: "SECURITY.md",
        label: "Security",
        summary: "How keys and personal data are protected, master key rotation, reporting a vulnerability.",
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
