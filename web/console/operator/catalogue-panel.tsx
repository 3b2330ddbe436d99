/** The catalogue by which bills are sold in every environment: which version, where from, and what is in it. */
import type { ReactNode } from "react";
import { Facts, Panel } from "../parts/facts.tsx";
import { naira } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { RecordView } from "../parts/record-view.tsx";

interface Bounded {
  readonly code: string;
  readonly name: string;
  readonly minAmount: number;
  readonly maxAmount: number;
}

interface Catalogue {
  readonly version: number;
  readonly source: string;
  readonly sourceDate: string;
  readonly networks: readonly Bounded[];
  readonly dataPlans: readonly { readonly planCode: string; readonly name: string; readonly amount: number }[];
  readonly electricityProviders: readonly Bounded[];
  readonly tvProviders: readonly { readonly code: string; readonly name: string }[];
  readonly tvPackages: readonly { readonly packageCode: string; readonly name: string; readonly amount: number }[];
  readonly bettingProviders: readonly Bounded[];
}

export function CataloguePanel() {
  return (
    <Panel title="Catalogue of bills">
      <RecordView<Catalogue> path="/bills/catalogues">{(catalogue) => <Contents {...catalogue} />}</RecordView>
    </Panel>
  );
}

function Contents({ version, source, sourceDate, ...lists }: Catalogue) {
  return (
    <>
      <Facts
        facts={[
          ["Version", String(version)],
          ["From", source],
          ["As of", <Moment key="date" at={sourceDate} dayOnly />],
        ]}
      />
      <Group title="Airtime" lines={lists.networks.map(boundsOf)} />
      <Group title="Data plans" lines={lists.dataPlans.map((plan) => [plan.planCode, plan.name, priceOf(plan)])} />
      <Group title="Electricity" lines={lists.electricityProviders.map(boundsOf)} />
      <Group title="TV" lines={lists.tvProviders.map(({ code, name }) => [code, name, null])} />
      <Group title="TV packages" lines={lists.tvPackages.map((each) => [each.packageCode, each.name, priceOf(each)])} />
      <Group title="Betting" lines={lists.bettingProviders.map(boundsOf)} />
    </>
  );
}

type Line = readonly [code: string, name: string, figure: ReactNode];

const boundsOf = ({ code, name, minAmount, maxAmount }: Bounded): Line => [
  code,
  name,
  <span key="bounds" className="whitespace-nowrap tabular-nums">{`${naira(minAmount)} to ${naira(maxAmount)}`}</span>,
];
const priceOf = ({ amount }: { readonly amount: number }): ReactNode => <Money amount={amount} />;

/** Closed at first: a catalogue has hundreds of lines. */
function Group({ title, lines }: { readonly title: string; readonly lines: readonly Line[] }) {
  return (
    <details className="border-t border-line">
      <summary className="cursor-pointer px-4 py-2 font-medium">
        {title} <span className="text-soft tabular-nums">{lines.length}</span>
      </summary>
      <ul>
        {lines.map(([code, name, figure]) => (
          <li key={code} className="flex flex-wrap justify-between gap-x-4 gap-y-1 border-t border-line px-4 py-2">
            <span className="min-w-0 break-words">
              {name} <span className="font-mono text-xs text-soft">{code}</span>
            </span>
            {figure}
          </li>
        ))}
      </ul>
    </details>
  );
}
