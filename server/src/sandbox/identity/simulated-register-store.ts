/** The people of the simulated register, in its own schema and over its own connections. BVNs are sealed there too. */
import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { type SealedColumn, sealedContext } from "../../platform/secrets/reseal.ts";
import type { IdentityQuestion } from "../../rails/identity.ts";
import { booksOf } from "../in-books.ts";

export interface RegisteredPerson {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  /** E.164. */
  readonly phone: string;
  /** YYYY-MM-DD; null until somebody has said one. */
  readonly born: string | null;
}

interface Register {
  readonly pool: pg.Pool;
  readonly sealer: Sealer;
}

const bvnPurpose = "simulated_identity.bvn";

export const sealedRegisterBvn = {
  table: "simulated_identity.people",
  column: "sealed_bvn",
  key: "id",
  scope: "sandbox",
  index: { column: "bvn_index", purpose: bvnPurpose },
} as const satisfies SealedColumn;

const columns = `p.id, p.first_name as "firstName", p.last_name as "lastName", p.phone, p.born::text as born`;

/** Whoever the BVN first came with. Of two at once the first one stays. */
export async function rememberPerson(
  { pool, sealer }: Register,
  { environmentId, bvn, firstName, lastName, phone, dateOfBirth }: IdentityQuestion,
): Promise<RegisteredPerson> {
  const books = booksOf(pool, environmentId);
  const indexes = sealer.blindIndexes(bvn, bvnPurpose).map(hexOf);
  const find = async (): Promise<RegisteredPerson | undefined> => {
    const found = await books.query<RegisteredPerson>(
      `select ${columns} from simulated_identity.people p
       where p.sandbox = $1 and p.bvn_index = any ($2::bytea[]) limit 1`,
      [environmentId, indexes],
    );
    return found.rows[0];
  };
  const known = await find();
  if (known !== undefined) return known;
  const id = randomUUID();
  await books.query(
    `insert into simulated_identity.people (sandbox, id, bvn_index, sealed_bvn, first_name, last_name, phone, born)
     values ($1, $2, $3::bytea, $4::bytea, $5, $6, $7, $8::date) on conflict do nothing`,
    [
      environmentId,
      id,
      hexOf(sealer.blindIndex(bvn, bvnPurpose)),
      hexOf(sealer.seal(bvn, sealedContext(sealedRegisterBvn, environmentId, id))),
      firstName,
      lastName,
      phone,
      dateOfBirth,
    ],
  );
  const person = await find();
  if (person === undefined) throw new Error("the simulated register forgot a person");
  return person;
}

/** The first birthday that comes with the registered name stays. Returns the one that is registered then. */
export async function learnBirthday(
  { pool }: Register,
  { environmentId }: Pick<IdentityQuestion, "environmentId">,
  id: string,
  born: string,
): Promise<string> {
  const learned = await booksOf(pool, environmentId).query<{ born: string }>(
    `update simulated_identity.people set born = coalesce(born, $3::date)
     where sandbox = $1 and id = $2 returning born::text as born`,
    [environmentId, id, born],
  );
  return learned.rows[0]?.born ?? born;
}

function hexOf(bytes: Buffer): string {
  return `\\x${bytes.toString("hex")}`;
}
