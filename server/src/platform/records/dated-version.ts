/**
 * Prices and rules that hold from a date on: loan products, credit policies, rates of bills, tariffs. Of the versions
 * whose date has come, the latest date counts, and of one date the highest version. So what was planned by mistake is
 * replaced by a further version for the same date. Nothing is ever changed, and nothing holds for the past: what was
 * priced by a version keeps it.
 */
import { isDeepStrictEqual } from "node:util";
import { type Static, Type } from "typebox";
import { commonProblem, type FieldError } from "../problem.ts";

export interface DatedVersion {
  readonly version: number;
  readonly effectiveFrom: Date;
}

const minuteMs = 60_000;
/**
 * Servers remember rates for a minute, and a transaction that asks twice must not meet two versions. By the time that a
 * version counts, everybody knows it and whatever began before is over.
 */
const leadMs = 5 * minuteMs;
/** Further away it is a slip in the year. */
const furthestMs = 366 * 24 * 60 * minuteMs;

/** Fields of every request that publishes a version. */
export const publishedFields = {
  version: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    description: "The number after the newest version. If a colleague has taken it, the request is refused.",
  }),
  effectiveFrom: Type.String({
    format: "date-time",
    description: "From when on it counts: five minutes from now at the earliest, a year at the latest.",
  }),
  reason: Type.String({ minLength: 1, maxLength: 2_000, pattern: "\\S", description: "Why; kept in the audit trail." }),
  confirmLargeChanges: Type.Optional(
    Type.Boolean({
      description: "Send true when a figure is meant to be ten times, or a tenth of, what it is in the version before.",
    }),
  ),
};

const PublishedFields = Type.Object(publishedFields);
export type PublishedFields = Static<typeof PublishedFields>;

/** Codes of the refusals of a request that publishes a version. */
export const publishingProblems = ["version_conflict", "large_change"] as const;

/** The figures of a version by the names that they have on the wire. */
export type Figures = Readonly<Record<string, bigint>>;

export interface Publication<Version extends DatedVersion> {
  readonly wanted: Version;
  /** The time by which the version will count. */
  readonly now: Date;
  readonly confirmed: boolean;
  find(version: number): Promise<Version | undefined>;
  /** The highest number; 0 without any. */
  latest(): Promise<number>;
  /** What counts at a moment as things are planned now. */
  inForceAt(moment: Date): Promise<Version | undefined>;
  /** Everything that is wrong with it besides its date. */
  faults(wanted: Version): Promise<readonly FieldError[]> | readonly FieldError[];
  figures(version: Version): Figures;
  /** False when another request took the number. */
  insert(wanted: Version): Promise<boolean>;
}

/**
 * Writes a version. The same version and content again changes nothing. Throws version_conflict, validation_failed,
 * large_change.
 */
export async function publishVersion<Version extends DatedVersion>(
  publication: Publication<Version>,
): Promise<{ readonly published: Version; readonly replayed: boolean }> {
  const { wanted, now, confirmed } = publication;
  // In this order: what a twin commits in between is found, and not taken for somebody else's.
  const latest = await publication.latest();
  const known = await publication.find(wanted.version);
  if (known !== undefined) return replay(publication, known);
  if (wanted.version !== latest + 1) throw commonProblem("version_conflict", { data: { latestVersion: latest } });
  const errors = [...dateErrors(now, wanted.effectiveFrom), ...(await publication.faults(wanted))];
  if (errors.length > 0) throw commonProblem("validation_failed", { errors });
  const before = await publication.inForceAt(wanted.effectiveFrom);
  const fields = before === undefined ? [] : largeChanges(publication.figures(before), publication.figures(wanted));
  if (fields.length > 0 && !confirmed) throw commonProblem("large_change", { data: { fields } });
  if (await publication.insert(wanted)) return { published: wanted, replayed: false };
  const twin = await publication.find(wanted.version);
  if (twin === undefined) throw new Error(`version ${wanted.version} was neither written nor there`);
  return replay(publication, twin);
}

async function replay<Version extends DatedVersion>({ wanted, latest }: Publication<Version>, known: Version) {
  if (isDeepStrictEqual(known, wanted)) return { published: known, replayed: true };
  throw commonProblem("version_conflict", { data: { latestVersion: await latest() } });
}

function dateErrors(now: Date, wanted: Date): FieldError[] {
  const waitMs = wanted.getTime() - now.getTime();
  if (waitMs >= leadMs && waitMs <= furthestMs) return [];
  const first = new Date(now.getTime() + leadMs).toISOString();
  return [{ field: "effectiveFrom", message: `must be from ${first} on and at most 366 days from now` }];
}

const large = 10n;

/** The figures that are ten times what they were, or a tenth. One that was or becomes zero is meant. */
export function largeChanges(before: Figures, after: Figures): string[] {
  return Object.keys(after).filter((field) => {
    const [old, next] = [before[field] ?? 0n, after[field] ?? 0n];
    return old > 0n && next > 0n && (next >= old * large || old >= next * large);
  });
}

/** The version that counts at a moment. */
export function versionAt<Version extends DatedVersion>(all: readonly Version[], moment: Date): Version | undefined {
  return all
    .filter(({ effectiveFrom }) => effectiveFrom <= moment)
    .reduce<Version | undefined>((best, each) => (best !== undefined && isAfter(best, each) ? best : each), undefined);
}

function isAfter(one: DatedVersion, other: DatedVersion): boolean {
  const between = one.effectiveFrom.getTime() - other.effectiveFrom.getTime();
  return between === 0 ? one.version > other.version : between > 0;
}
