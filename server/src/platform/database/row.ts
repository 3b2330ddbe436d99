/** Rows of statements that are written as SQL: what they read is named once, and the generated types say what it is. */
import type { Selectable } from "kysely";
import type { DB } from "./database-types.gen.ts";

/** Some columns of a table. */
export type Row<Table extends keyof DB, Column extends keyof DB[Table]> = Readonly<Selectable<Pick<DB[Table], Column>>>;
