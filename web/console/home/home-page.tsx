/** The first page of the day: what there is, what needs somebody, and how money moved. */
import type { Overview } from "@jara/sdk";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Allowed } from "../api/allowed.tsx";
import { useEnvironment } from "../api/place.ts";
import { useRecord } from "../api/queries.ts";
import { buttonClass } from "../parts/button.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { Failure, Skeleton } from "../parts/states.tsx";
import { MakePayout } from "../transfers/make-payout.tsx";
import { Attention } from "./attention.tsx";
import { KeyFigures } from "./key-figures.tsx";
import { MoneyPanels } from "./money-panels.tsx";
import { previousPeriod } from "./overview.ts";

const periods = { hour: "Last 24 hours", day: "Last 30 days" } as const;

export function HomePage() {
  const { place, at } = useEnvironment();
  const [by, setBy] = useState<keyof typeof periods>("day");
  const days = useRecord<Overview>("/overview", { params: { by: "day" }, again: () => 15_000 });
  const hours = useRecord<Overview>("/overview", {
    params: { by: "hour" },
    again: () => 15_000,
    enabled: by === "hour",
  });
  const chosen = by === "day" ? days : hours;
  const before = usePrevious(chosen.data);
  const beforeDays = usePrevious(days.data);
  const isSandbox = place.environment.kind === "SANDBOX";
  const choice = (
    <select
      aria-label="Period"
      className="field min-h-8 w-auto py-0.5"
      value={by}
      onChange={({ target }) => setBy(target.value === "hour" ? "hour" : "day")}
    >
      <option value="day">{periods.day}</option>
      <option value="hour">{periods.hour}</option>
    </select>
  );
  return (
    <div className="grid gap-4">
      <PageHead title="Home" about={`${place.merchant.name}, ${isSandbox ? "sandbox" : "live"}`}>
        {isSandbox ? <Way to={at("/sandbox")} name="Add test money" /> : null}
        <Way to={at("/bulk")} name="Pay a file" />
        <Allowed change="transfers">
          <MakePayout />
        </Allowed>
      </PageHead>
      {days.isPending ? <Skeleton lines={3} /> : null}
      {days.isError ? <Failure error={days.error} retry={() => days.refetch()} /> : null}
      {days.data === undefined ? null : <KeyFigures overview={days.data} before={beforeDays} />}
      <Attention told={days.data?.attention ?? []} isPending={days.isPending} />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-lg font-semibold">Performance</h2>
        {choice}
      </div>
      {by === "hour" && hours.isError ? <Failure error={hours.error} retry={() => hours.refetch()} /> : null}
      <MoneyPanels query={chosen} before={before} />
    </div>
  );
}

/** The same span of time just before: what a period is compared with. */
function usePrevious(overview: Overview | undefined): Overview | undefined {
  const params = overview === undefined ? {} : previousPeriod(overview);
  return useRecord<Overview>("/overview", { params, enabled: overview !== undefined }).data;
}

function Way({ to, name }: { readonly to: string; readonly name: string }) {
  return (
    <Link to={to} className={buttonClass()}>
      {name}
    </Link>
  );
}
