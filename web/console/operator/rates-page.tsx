import { Panel } from "../parts/facts.tsx";
import { naira, words } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { RecordView } from "../parts/record-view.tsx";
import { CataloguePanel } from "./catalogue-panel.tsx";

interface Tariff {
  readonly version: number;
  readonly effectiveFrom: string;
  readonly bands: readonly { readonly upTo: number | null; readonly fee: number }[];
  readonly vatPercent: number;
  readonly stampDuty: number;
  readonly stampDutyFrom: number;
  readonly inForce: boolean;
}

interface Rate {
  readonly category: string;
  readonly version: number;
  readonly commissionPercent: number;
  readonly fee: number;
  readonly effectiveFrom: string;
  readonly inForce: boolean;
}

export function RatesPage() {
  return (
    <>
      <PageHead title="Rates" about="Payout fees, bill commissions and the catalogue. Prices in force are marked." />
      <div className="grid gap-4 lg:grid-cols-2">
        <Panel title="Payouts">
          <RecordView<Tariff[]> path="/transfers/tariffs">
            {(tariffs) => (
              <ul>
                {tariffs.map((tariff) => (
                  <TariffRow key={tariff.version} tariff={tariff} />
                ))}
              </ul>
            )}
          </RecordView>
        </Panel>
        <Panel title="Bills">
          <RecordView<Rate[]> path="/bills/rates">
            {(rates) => (
              <ul>
                {rates.map((rate) => (
                  <RateRow key={`${rate.category}-${rate.version}`} rate={rate} />
                ))}
              </ul>
            )}
          </RecordView>
        </Panel>
        <div className="lg:col-span-2">
          <CataloguePanel />
        </div>
      </div>
    </>
  );
}

function TariffRow({ tariff }: { readonly tariff: Tariff }) {
  return (
    <li className="grid gap-1 border-b border-line p-4 last:border-0">
      <p className="font-medium">
        Version {tariff.version} {tariff.inForce ? <strong className="text-brand">in force</strong> : null}
      </p>
      <p className="text-soft">
        From <Moment at={tariff.effectiveFrom} />
        {` · VAT ${tariff.vatPercent} % · stamp duty ${naira(tariff.stampDuty)} from ${naira(tariff.stampDutyFrom)}`}
      </p>
      <ul className="grid max-w-xs gap-0.5">
        {tariff.bands.map(({ upTo, fee }) => (
          <li key={String(upTo)} className="flex justify-between gap-4">
            <span>{upTo === null ? "above" : `up to ${naira(upTo)}`}</span>
            <Money amount={fee} />
          </li>
        ))}
      </ul>
    </li>
  );
}

function RateRow({ rate }: { readonly rate: Rate }) {
  return (
    <li className="flex flex-wrap justify-between gap-3 border-b border-line px-4 py-2 last:border-0">
      <span className="font-medium">
        {words(rate.category)} {rate.inForce ? <strong className="text-brand">in force</strong> : null}
      </span>
      <span>
        {rate.commissionPercent} % commission, fee <Money amount={rate.fee} />
      </span>
    </li>
  );
}
