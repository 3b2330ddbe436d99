import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { house } from "../../start/slices.ts";

const { ownerUrl, appUrl } = await createTestDatabase();
const owner = new pg.Client({ connectionString: ownerUrl });
await owner.connect();
afterAll(() => owner.end());

const serverLogin = new URL(appUrl).username;

async function rows(statement: string, values: unknown[] = []): Promise<unknown[]> {
  return (await owner.query(statement, values)).rows;
}

const notOfPostgres = "nspname not like 'pg\\_%' and nspname <> 'information_schema'";

test.each(["jara_app", serverLogin])("%s owns nothing", async (role) => {
  const owned = await rows(
    `select 'relation' as kind, oid::regclass::text as name from pg_class where relowner = $1::regrole
     union all select 'function', oid::regprocedure::text from pg_proc where proowner = $1::regrole
     union all select 'type', oid::regtype::text from pg_type where typowner = $1::regrole
     union all select 'schema', nspname from pg_namespace where nspowner = $1::regrole
     union all select 'database', datname from pg_database where datdba = $1::regrole`,
    [role],
  );
  expect(owned).toEqual([]);
});

test.each(["jara_app", "jara_lookup", serverLogin])("%s cannot step around row level security", async (role) => {
  const attributes = await rows(
    "select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication from pg_roles where rolname = $1",
    [role],
  );
  const none = {
    rolsuper: false,
    rolbypassrls: false,
    rolcreaterole: false,
    rolcreatedb: false,
    rolreplication: false,
  };
  expect(attributes).toEqual([none]);
});

test("the server's login can act as the application and as nobody else", async () => {
  const memberships = await rows(
    "select rolname from pg_roles where pg_has_role($1, oid, 'member') and rolname <> $1 order by 1",
    [serverLogin],
  );
  expect(memberships).toEqual([{ rolname: "jara_app" }]);
});

test("the application can create nothing in any schema of ours", async () => {
  const creatable = await rows(
    `select nspname from pg_namespace where ${notOfPostgres} and has_schema_privilege('jara_app', oid, 'create')`,
  );
  expect(creatable).toEqual([]);
});

test("a table without an environment is behind a policy of its own, or the application only reads it", async () => {
  const open = await rows(
    `select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname = 'public' and not (c.relrowsecurity and c.relforcerowsecurity)
       and has_table_privilege('jara_app', c.oid, 'insert, update, delete, truncate')`,
  );
  expect(open).toEqual([]);
});

test("the functions that look across environments are those that are written down", async () => {
  const found = await rows(
    `select p.oid::regprocedure::text as signature from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where p.prosecdef and ${notOfPostgres} order by 1`,
  );
  expect(found).toEqual(
    Object.keys(house.lookupFunctions)
      .sort()
      .map((signature) => ({ signature })),
  );
});

test.each(Object.keys(house.lookupFunctions))(
  "%s is safe to run with more rights than its caller has",
  async (signature) => {
    const [found] = await rows(
      `select pg_get_userbyid(p.proowner) as owner, p.proconfig as settings,
       has_function_privilege('public', p.oid, 'execute') as everybody,
       has_function_privilege('jara_app', p.oid, 'execute') as application
     from pg_proc p where p.oid = to_regprocedure($1)`,
      [signature],
    );
    expect(found).toEqual({
      owner: "jara_lookup",
      settings: expect.arrayContaining(["search_path=public, pg_temp"]),
      everybody: false,
      application: true,
    });
  },
);

test("jara_lookup owns these functions and nothing else, and nobody can log in as it", async () => {
  const owned = await rows("select oid::regclass::text as name from pg_class where relowner = 'jara_lookup'::regrole");
  expect(owned).toEqual([]);
  const functions = await rows("select from pg_proc where proowner = 'jara_lookup'::regrole and not prosecdef");
  expect(functions).toEqual([]);
  expect(await rows("select rolcanlogin from pg_roles where rolname = 'jara_lookup'")).toEqual([
    { rolcanlogin: false },
  ]);
});
