/** Archived events, which are read from files. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { run, type World } from "../command.ts";
import { examples } from "./parts.ts";

export function addArchive(program: Command, world: World): void {
  const archive = program
    .command("archive")
    .description("old events that the server has taken to files; needs no server");
  addWhere(archive.command("list"))
    .description("files of the archive, and what is missing or damaged")
    .option("--verify", "read every file and hold it against its hash")
    .addHelpText("after", examples("jara archive list", "jara archive list --verify --folder /srv/jara-archive"))
    .action(run(world, async () => (await import("../commands/archive.ts")).listArchive));
  addWhere(archive.command("read"))
    .description("archived events in their order, with what became of each at your endpoints (--json)")
    .addOption(new Option("--from <time>", "from this moment or day on, in UTC: 2026-01-31").argParser(momentOf))
    .addOption(new Option("--to <time>", "before this moment or day, in UTC").argParser(momentOf))
    .option("--event <name>", "only this kind")
    .option("--id <id>", "only this event, or those of this record")
    .addHelpText(
      "after",
      examples(
        "jara archive read --from 2026-01-01 --to 2026-02-01 --event transfer.completed",
        "jara archive read --id 01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11 --json",
      ),
    )
    .action(run(world, async () => (await import("../commands/archive.ts")).readArchived));
}

function addWhere(command: Command): Command {
  return command
    .option("--folder <folder>", "where the archive is; else JARA_ARCHIVE_FOLDER")
    .option("--environment <id>", "only of this environment");
}

/** Without a zone it is UTC, as the help says, wherever this machine is. */
function momentOf(text: string): Date {
  const [, day, time = "T00:00:00", zone = "Z"] = form.exec(text) ?? [];
  const moment = new Date(`${day}${time}${zone}`);
  // A day that no month has would silently be one of the next month.
  const isReal = new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(`${day}T`) === true;
  if (isReal && !Number.isNaN(moment.getTime())) return moment;
  throw new InvalidArgumentError("A day such as 2026-01-31, or a moment such as 2026-01-31T08:00:00Z.");
}

const form = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(Z|[+-]\d\d:\d\d)?$/;
