/** How fast each step of a life was, and how long orders waited for it, as the rows themselves tell. */
import type { Stage } from "./stage.ts";
import type { Trade } from "./trades.ts";

interface Step {
  readonly step: string;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export type Steps = readonly Step[];

/** Of the orders that were accepted since then; rates are of what happened within the given seconds. */
export async function readSteps(stage: Stage, { table }: Trade, since: Date, seconds: number): Promise<Steps> {
  // Where statistics are older than the orders, loops through indexes look cheap, and take minutes.
  await stage.admin.query("set enable_nestloop = off");
  const found = await stage.admin.query<Step>(
    `with lives as materialized (
       select o.created_at as accepted, o.sent_at as sent, o.completed_at as ended,
         a.sent_at + make_interval(secs => a.duration_ms / 1000.0) as received
       from ${table} o
       left join events e on e.environment_id = o.environment_id and e.resource_id = o.id
       left join webhook_attempt_log a on a.environment_id = e.environment_id and a.event_id = e.id
       where o.created_at >= $1
     ), steps as (
       select 1 as place, 'accepted' as step, accepted as at, null::timestamptz as before from lives
       union all select 2, 'accepted → sent', sent, accepted from lives
       union all select 3, 'sent → ended', ended, sent from lives
       union all select 4, 'ended → received', received, ended from lives
     )
     select step, count(*) filter (where at < $1::timestamptz + make_interval(secs => $2)) / $2::float8 as "perSecond",
       coalesce(percentile_cont(0.5) within group (order by extract(epoch from at - before) * 1000), 0) as "p50Ms",
       coalesce(percentile_cont(0.99) within group (order by extract(epoch from at - before) * 1000), 0) as "p99Ms"
     from steps group by place, step order by place`,
    [since, seconds],
  );
  await stage.admin.query("reset enable_nestloop");
  return found.rows;
}
