/**
 * Looks for a card's number where none may be: in every row of every schema, and in text such as logs and replies. Nine
 * digits in a row are enough to be found, with blanks or dashes between them or not, as text or as the bytes of it.
 */
import pg from "pg";

const windowLength = 9;

/** The traces of `number` in a text. */
export function findDigits(number: string, text: string): string[] {
  const digits = number.replaceAll(/\D/g, "");
  const joined = text.replaceAll(/(?<=\d)[ -]+(?=\d)/g, "");
  const windows = Array.from({ length: digits.length - windowLength + 1 }, (_, at) =>
    digits.slice(at, at + windowLength),
  );
  const forms = windows.flatMap((window) => [window, Buffer.from(window).toString("hex")]);
  return forms.filter((form) => joined.includes(form));
}

interface Searched {
  readonly searched: readonly string[];
  readonly found: readonly string[];
}

/** The tables, in all schemas but PostgreSQL's own, with a row that holds traces of `number`. */
export function findDigitsInDatabase(number: string, ownerUrl: string): Promise<Searched> {
  return findInDatabase((row) => findDigits(number, row).length > 0, ownerUrl);
}

/** The same for any text, such as a token. */
export function findTextInDatabase(text: string, ownerUrl: string): Promise<Searched> {
  const bytes = Buffer.from(text).toString("hex");
  return findInDatabase((row) => row.includes(text) || row.includes(bytes), ownerUrl);
}

async function findInDatabase(holds: (row: string) => boolean, ownerUrl: string): Promise<Searched> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(`
      select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'm') and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema' order by 1`);
    const found: string[] = [];
    for (const { name } of tables.rows) {
      // As JSON a bytea column reads as hexadecimal digits.
      const rows = await client.query<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t`);
      if (rows.rows.some(({ row }) => holds(row))) found.push(name);
    }
    return { searched: tables.rows.map(({ name }) => name), found };
  } finally {
    await client.end();
  }
}
