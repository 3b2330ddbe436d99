/** Rows of incidents and their updates. All of them are the operator's. */
import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import type { Tx } from "../platform/database/database.ts";
import { type Incident, type IncidentState, overAfterSeconds, shownDays, type Trouble } from "./incident.ts";

/** Of one incident, newest first. A person writes a few; the limit is for a program that went mad. */
const updates = sql.raw(
  `coalesce((select jsonb_agg(jsonb_build_object('state', u.state, 'message', u.message, 'writtenBy', u.written_by,
     'writtenAt', u.written_at) order by u.number desc)
   from (select * from incident_updates a where a.incident_id = i.id order by a.number desc limit 100) u), '[]')
   as updates`,
);
const columns = sql.raw(
  `i.id, i.source, i.title, i.condition, i.parts, i.state, i.started_at as "startedAt", i.ended_at as "endedAt",
   i.withdrawn_at as "withdrawnAt", i.created_at as "createdAt"`,
);

interface WrittenUpdate extends Omit<Incident["updates"][number], "writtenAt"> {
  readonly writtenAt: string;
}

type Row = Omit<Incident, "updates"> & { readonly updates: readonly WrittenUpdate[] };

function incidentFrom(row: Row): Incident {
  return { ...row, updates: row.updates.map((one) => ({ ...one, writtenAt: new Date(one.writtenAt) })) };
}

export type NewIncident = Pick<Incident, "title" | "condition" | "parts"> & { readonly startedAt: Date | null };

/** One that a person opens. */
export async function insertIncident(tx: Tx, { title, condition, parts, startedAt }: NewIncident): Promise<string> {
  const id = uuidv7();
  await sql`
    insert into incidents (id, source, title, condition, parts, state, started_at, shown_at)
    values (${id}, 'operator', ${title}, ${condition}, ${parts}::text[], 'investigating',
      coalesce(${startedAt}, clock_timestamp()), clock_timestamp())`.execute(tx);
  return id;
}

export interface NewUpdate {
  readonly state: IncidentState;
  readonly message: string;
  readonly writtenBy: string;
}

/** The incident must be locked. */
export async function insertUpdate(tx: Tx, id: string, { state, message, writtenBy }: NewUpdate): Promise<void> {
  await sql`
    insert into incident_updates (incident_id, number, state, message, written_by)
    select ${id}, coalesce(max(u.number), 0) + 1, ${state}, ${message}, ${writtenBy}
    from incident_updates u where u.incident_id = ${id}`.execute(tx);
  await sql`
    update incidents set state = ${state}, ended_at = case when ${state} = 'resolved' then clock_timestamp() end
    where id = ${id}`.execute(tx);
}

export async function withdrawIncident(tx: Tx, id: string): Promise<void> {
  await sql`
    update incidents set withdrawn_at = coalesce(withdrawn_at, clock_timestamp()) where id = ${id}`.execute(tx);
}

/** Only what was shown: the rest may be over in a moment. */
export async function findIncident(tx: Tx, id: string): Promise<Incident | undefined> {
  const found = await sql<Row>`
    select ${columns}, ${updates} from incidents i where i.id = ${id} and i.shown_at is not null`.execute(tx);
  return found.rows.map(incidentFrom)[0];
}

/** Locks the incident, so that of two operators' words one comes after the other. */
export async function lockIncident(tx: Tx, id: string): Promise<Pick<Incident, "source" | "state"> | undefined> {
  const found = await sql<Pick<Incident, "source" | "state">>`
    select i.source, i.state from incidents i where i.id = ${id} and i.shown_at is not null for update`.execute(tx);
  return found.rows[0];
}

export interface IncidentFilter {
  readonly state: "open" | "resolved" | undefined;
}

const matches = ({ state }: IncidentFilter) => sql`
  i.shown_at is not null
  and (${state ?? null}::text is null or (i.state = 'resolved') = (${state ?? null} = 'resolved'))`;

export async function countIncidents(tx: Tx, filter: IncidentFilter): Promise<bigint> {
  const counted = await sql<{ total: bigint }>`
    select count(*) as total from incidents i where ${matches(filter)}`.execute(tx);
  return counted.rows[0]?.total ?? 0n;
}

/** Newest first. */
export async function listIncidents(
  tx: Tx,
  filter: IncidentFilter,
  page: { readonly skip: bigint; readonly limit: number },
): Promise<Incident[]> {
  const found = await sql<Row>`
    select ${columns}, ${updates} from incidents i where ${matches(filter)}
    order by i.started_at desc, i.id desc limit ${page.limit} offset ${page.skip}`.execute(tx);
  return found.rows.map(incidentFrom);
}

/** What anybody may read: open ones, and those that ended within the last days, newest first. */
export async function readShownIncidents(tx: Tx): Promise<Incident[]> {
  const found = await sql<Row>`
    select ${columns}, ${updates} from incidents i
    where i.shown_at is not null and i.withdrawn_at is null
      and coalesce(i.ended_at, 'infinity') > clock_timestamp() - make_interval(days => ${shownDays})
    order by i.started_at desc, i.id desc limit 100`.execute(tx);
  return found.rows.map(incidentFrom);
}

/** Opens an incident of what is seen, or says that it is seen still. A condition only gets worse while it lasts. */
export async function keepTrouble(tx: Tx, trouble: Trouble): Promise<void> {
  const { cause, title, condition, parts, since, shownAfterSeconds } = trouble;
  const shown = sql`make_interval(secs => ${shownAfterSeconds}) <= clock_timestamp()`;
  await sql`
    with seen as (select least(coalesce(${since}::timestamptz, clock_timestamp()), clock_timestamp()) as since)
    insert into incidents as i (id, source, cause, title, condition, parts, state, started_at, seen_at, shown_at)
    select ${uuidv7()}, 'system', ${cause}, ${title}, ${condition}, ${parts}::text[], 'investigating', s.since,
      clock_timestamp(), case when s.since + ${shown} then clock_timestamp() end
    from seen s
    on conflict (cause) where source = 'system' and ended_at is null do update set seen_at = clock_timestamp(),
      condition = case when i.condition = 'not_working' then i.condition else excluded.condition end,
      shown_at = coalesce(i.shown_at, case when i.started_at + ${shown} then clock_timestamp() end)`.execute(tx);
}

export interface EndedTrouble {
  readonly id: string;
  readonly cause: string;
}

/** Ends what nobody sees any more, at the moment when it was seen last; what was never shown is forgotten. */
export async function endTroubles(tx: Tx): Promise<EndedTrouble[]> {
  const silent = sql`seen_at < clock_timestamp() - make_interval(secs => ${overAfterSeconds})`;
  await sql`
    delete from incidents where source = 'system' and ended_at is null and shown_at is null and ${silent}`.execute(tx);
  const ended = await sql<EndedTrouble>`
    update incidents set state = 'resolved', ended_at = seen_at
    where source = 'system' and ended_at is null and ${silent}
    returning id, cause`.execute(tx);
  return ended.rows;
}
