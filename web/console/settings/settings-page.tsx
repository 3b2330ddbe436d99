/** What is fixed for this merchant and this environment, and where each of it is changed. */
import type { TransferFee } from "@jara/sdk";
import { Link } from "@tanstack/react-router";
import { useEnvironment } from "../api/place.ts";
import { useRecord } from "../api/queries.ts";
import type { Limit } from "../approvals/approval.ts";
import { LimitPanel } from "../approvals/approvals-page.tsx";
import { Facts, Panel } from "../parts/facts.tsx";
import { words } from "../parts/figures.ts";
import { Money } from "../parts/money.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { RecordView } from "../parts/record-view.tsx";
import { Failure } from "../parts/states.tsx";

const link = "text-brand underline underline-offset-4";

export function SettingsPage() {
  const { place } = useEnvironment();
  const { merchant, environment } = place;
  return (
    <div className="grid gap-4">
      <PageHead title="Settings" about={`${merchant.name}, ${environment.name}`} />
      <Panel title="Merchant">
        <Facts
          facts={[
            ["Name", merchant.name],
            ["Your role", words(merchant.role)],
            [
              "Merchant id",
              <code key="id" className="text-xs break-all">
                {merchant.id}
              </code>,
            ],
            ["This environment", `${environment.name} (${environment.kind})`],
            [
              "Environment id",
              <code key="environment" className="text-xs break-all">
                {environment.id}
              </code>,
            ],
            ["All environments", merchant.environments.map(({ name, kind }) => `${name} (${kind})`).join(", ")],
          ]}
        />
      </Panel>
      <RecordView<Limit> path="/approval-limits">{(limit) => <LimitPanel limit={limit} />}</RecordView>
      <Fees />
      <Signing />
    </div>
  );
}

const examples = [1_000, 10_000, 100_000];

function Fees() {
  return (
    <Panel title="What a payout costs now">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard */}
      <section className="overflow-x-auto" tabIndex={0} aria-label="What a payout costs now">
        <table className="w-full text-left">
          <thead className="text-xs text-soft">
            <tr>
              {["Amount", "Fee", "VAT", "Stamp duty", "Leaves the wallet"].map((title) => (
                <th key={title} scope="col" className="px-4 py-2 text-right font-medium whitespace-nowrap">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {examples.map((amount) => (
              <Fee key={amount} amount={amount} />
            ))}
          </tbody>
        </table>
      </section>
    </Panel>
  );
}

function Fee({ amount }: { readonly amount: number }) {
  const { data, error } = useRecord<TransferFee>("/transfers/fee", { params: { amount, currency: "NGN" } });
  if (error !== null) {
    return (
      <tr>
        <td colSpan={5}>
          <Failure error={error} />
        </td>
      </tr>
    );
  }
  const figures = [data?.fee, data?.vat, data?.stampDuty, data?.totalDebit];
  return (
    <tr className="border-t border-line">
      <th scope="row" className="px-4 py-2 text-right font-normal">
        <Money amount={amount} />
      </th>
      {["fee", "vat", "duty", "total"].map((name, at) => (
        <td key={name} className="px-4 py-2 text-right">
          <Money amount={figures[at] ?? null} />
        </td>
      ))}
    </tr>
  );
}

function Signing() {
  const { at } = useEnvironment();
  return (
    <Panel title="How webhooks are signed">
      <div className="grid gap-2 p-4">
        <p>
          Each event carries <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code>,
          as Standard Webhooks asks for it. The secret is the endpoint's own; a new one is made under{" "}
          <Link to={at("/developers")} className={link}>
            Developers
          </Link>
          .
        </p>
        <p>
          <a href="/docs/webhooks" className={link}>
            How to check a signature
          </a>
        </p>
      </div>
    </Panel>
  );
}
