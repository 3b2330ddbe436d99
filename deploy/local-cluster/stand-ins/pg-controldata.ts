/** Stands in for `pg_controldata DATA_FOLDER`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeControlFile } from "./control-file.ts";

const data = process.argv[2] ?? ".";
process.stdout.write(describeControlFile(readFileSync(join(data, "global", "pg_control"))));
