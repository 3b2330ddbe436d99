import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { lagosDay, lagosTime, naira } from "../parts/figures.ts";
import type { TimeChartProps } from "./chart.ts";
import { type Palette, usePalette } from "./colours.ts";
import { shortNaira } from "./short-naira.ts";

export function ChartCanvas(props: TimeChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const palette = usePalette();
  useEffect(() => {
    const { current } = place;
    if (current === null) return undefined;
    const chart = new uPlot(optionsOf(props, palette, current), dataOf(props), current);
    const tip = document.createElement("div");
    tip.className = "chart-tip";
    tip.hidden = true;
    current.append(tip);
    chart.hooks.setCursor = [(of) => showTip(tip, of, props)];
    const watch = new ResizeObserver(() => chart.setSize({ width: current.clientWidth, height: current.clientHeight }));
    watch.observe(current);
    return () => {
      watch.disconnect();
      tip.remove();
      chart.destroy();
    };
  }, [props, palette]);
  return <div ref={place} className="relative h-48 overflow-hidden" />;
}

/** The figures of the moment below the pointer, next to it: on its left where there is no room on its right. */
function showTip(tip: HTMLElement, chart: uPlot, { moments, series, by }: TimeChartProps) {
  const { idx, left = -1 } = chart.cursor;
  const moment = typeof idx === "number" ? moments[idx] : undefined;
  tip.hidden = moment === undefined || left < 0;
  if (moment === undefined || typeof idx !== "number") return;
  const name = by === "day" ? lagosDay(moment) : `${lagosDay(moment)} ${lagosTime(moment).slice(0, 5)}`;
  tip.textContent = [name, ...series.map(({ label, values }) => `${label} ${naira(values[idx] ?? 0)}`)].join("\n");
  const at = chart.over.offsetLeft + left;
  const isRight = left > chart.over.clientWidth / 2;
  tip.style.left = isRight ? "auto" : `${at + 12}px`;
  tip.style.right = isRight ? `${chart.width - at + 12}px` : "auto";
}

/** Of two bars of a moment the second stands behind: it is drawn from below zero, so that none hides the other. */
function dataOf({ moments, series, kind }: TimeChartProps): uPlot.AlignedData {
  const times = moments.map((moment) => Date.parse(moment) / 1_000);
  return [
    times,
    ...series.map(({ values }, at) => values.map((value) => (kind === "bars" && at === 1 ? -value : value))),
  ];
}

function optionsOf({ series, kind, by }: TimeChartProps, palette: Palette, place: HTMLElement): uPlot.Options {
  const bars = kind === "bars" ? uPlot.paths.bars?.({ size: [0.7, 40] }) : uPlot.paths.stepped?.({ align: 1 });
  const axis: uPlot.Axis = {
    stroke: palette.soft,
    font: "11px system-ui",
    grid: { stroke: palette.line, width: 1 },
    ticks: { show: false },
  };
  return {
    width: place.clientWidth,
    height: place.clientHeight,
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), "Africa/Lagos"),
    scales: {
      x: { time: true, range: (_, first, last) => roomFor(kind, by, first, last) },
      y: { range: (_, low, high) => rangeOf(low, high) },
    },
    axes: [
      { ...axis, grid: { show: false }, size: 28, space: 64, values: (_, splits) => splits.map(labelOf(by)) },
      { ...axis, size: 64, values: (_, splits) => splits.map((value) => shortNaira(Math.abs(value))) },
    ],
    series: [
      {},
      ...series.map(({ label, colour }) => ({
        label,
        stroke: palette[colour],
        width: kind === "bars" ? 0 : 2,
        points: { show: false },
        ...(kind === "bars" ? { fill: palette[colour] } : {}),
        ...(bars === undefined ? {} : { paths: bars }),
      })),
    ],
  };
}

/** 16 Nov, or 14:00. */
const labelOf = (by: TimeChartProps["by"]) => (seconds: number) => {
  const moment = new Date(seconds * 1_000).toISOString();
  return by === "day" ? lagosDay(moment).slice(0, -5) : lagosTime(moment).slice(0, 5);
};

const stepSeconds = { day: 86_400, hour: 3_600 } as const;

/** A bar stands on its moment: the first and the last need half a step more. */
function roomFor(
  kind: TimeChartProps["kind"],
  by: TimeChartProps["by"],
  first: number,
  last: number,
): [number, number] {
  const half = kind === "bars" ? stepSeconds[by] / 2 : 0;
  return [first - half, last + half];
}

/** Zero is always in the picture: a chart without it makes small changes look large. */
function rangeOf(low: number | null, high: number | null): [number, number] {
  const [bottom, top] = [Math.min(low ?? 0, 0), Math.max(high ?? 0, 0)];
  return bottom === 0 && top === 0 ? [0, 1] : [bottom * 1.1, top * 1.1];
}
