import { lagosDay, lagosTime, utcMoment } from "./figures.ts";

interface MomentProps {
  readonly at: string | null;
  /** Only the day: for what is due. */
  readonly dayOnly?: boolean;
}

/** When, in Lagos; the UTC is told on hover and to assistive technology's date readers. */
export function Moment({ at, dayOnly = false }: MomentProps) {
  if (at === null) return <span className="text-soft">–</span>;
  return (
    <time dateTime={at} title={utcMoment(at)} className="whitespace-nowrap">
      {lagosDay(at)}
      {dayOnly ? null : <span className="text-soft"> {lagosTime(at)}</span>}
    </time>
  );
}
