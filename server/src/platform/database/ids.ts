const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What is not a UUID is nobody's id, and PostgreSQL need not be asked. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}

const latestMs = 2 ** 48 - 1;
/** An id is made while its transaction runs, a little apart from the moment that the record carries. */
const slackMs = 60_000;

/**
 * Bounds of the ids (version 7 UUIDs) that records of a span of time can have, so that a primary key finds them. They
 * are a little wide: the record's own time decides.
 */
export function earliestIdFrom(moment: Date): string {
  return lowestIdAt(moment.getTime() - slackMs);
}

export function idBeyond(moment: Date): string {
  return lowestIdAt(moment.getTime() + slackMs);
}

/** Whether a record of this id can be from that moment or before. */
export function canBeUntil(id: string, moment: Date): boolean {
  return id[14] === "7" && id.toLowerCase() < idBeyond(moment);
}

function lowestIdAt(moment: number): string {
  const hex = Math.min(Math.max(moment, 0), latestMs).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
