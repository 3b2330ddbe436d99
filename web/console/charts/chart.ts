/** What a chart is given. */
import type { ChartColour } from "./colours.ts";

interface Series {
  readonly label: string;
  /** Naira, one for each moment. */
  readonly values: readonly number[];
  readonly colour: ChartColour;
}

export interface TimeChartProps {
  /** What the chart shows, in a sentence. */
  readonly about: string;
  readonly moments: readonly string[];
  readonly series: readonly Series[];
  readonly kind: "bars" | "line";
  readonly by: "hour" | "day";
}
