/**
 * Figures over time as a picture, drawn by uPlot, which is loaded only where a chart is. The picture is for the eye:
 * the same figures stand below it as a table, which everybody can open.
 */
import { lazy, Suspense } from "react";
import { lagosDay, lagosTime, naira } from "../parts/figures.ts";
import type { TimeChartProps } from "./chart.ts";

const Canvas = lazy(() => import("./chart-canvas.tsx").then(({ ChartCanvas }) => ({ default: ChartCanvas })));

const dot = { brand: "bg-brand", info: "bg-info", danger: "bg-danger", strong: "bg-strong" } as const;

export function TimeChart(props: TimeChartProps) {
  const { about, series } = props;
  return (
    <figure className="grid gap-2 p-4">
      <figcaption className="flex flex-wrap justify-between gap-x-4 gap-y-1 text-xs text-soft">
        <span>{about}</span>
        <span className="flex gap-3">
          {series.map(({ label, colour }) => (
            <span key={label} className="flex items-center gap-1">
              <span aria-hidden="true" className={`size-2.5 rounded-sm ${dot[colour]}`} />
              {label}
            </span>
          ))}
        </span>
      </figcaption>
      <div aria-hidden="true" className="h-48 min-w-0">
        <Suspense fallback={<div className="skeleton h-48" />}>
          <Canvas {...props} />
        </Suspense>
      </div>
      <Figures {...props} />
    </figure>
  );
}

function Figures({ moments, series, by }: TimeChartProps) {
  const name = (moment: string) => (by === "day" ? lagosDay(moment) : `${lagosDay(moment)} ${lagosTime(moment)}`);
  return (
    <details className="text-xs">
      <summary className="text-soft underline underline-offset-4">As a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard */}
      <section className="mt-2 max-h-56 overflow-auto" tabIndex={0} aria-label="The chart's figures">
        <table className="w-full text-left">
          <thead className="text-soft">
            <tr>
              <th scope="col" className="py-1 pr-4 font-medium">
                {by === "day" ? "Day" : "Hour"}
              </th>
              {series.map(({ label }) => (
                <th key={label} scope="col" className="py-1 pl-4 text-right font-medium">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {moments.map((moment, at) => (
              <tr key={moment} className="border-t border-line">
                <th scope="row" className="py-1 pr-4 font-normal whitespace-nowrap">
                  {name(moment)}
                </th>
                {series.map(({ label, values }) => (
                  <td key={label} className="py-1 pl-4 text-right whitespace-nowrap">
                    {naira(values[at] ?? 0)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
