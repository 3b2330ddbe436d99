/** The log of requests. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { run, type World } from "../command.ts";
import { examples } from "./parts.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

export function addLogs(program: Command, world: World): void {
  const logs = program.command("logs").description("what your keys asked of the API, and what it returned");
  logs
    .command("tail")
    .description("print requests as they happen")
    .addOption(new Option("--status <status>", "only these: 404, or 4xx for a kind").argParser(statusOf))
    .addOption(new Option("--method <method>", "only this one: POST").argParser(methodOf))
    .option("--path <path>", "only paths that begin so: /transfers")
    .addHelpText(
      "after",
      examples(
        "jara logs tail",
        "jara logs tail --status 4xx",
        "jara logs tail --method POST --path /transfers --json",
      ),
    )
    .action(run(world, async () => (await import("../commands/logs.ts")).tailLogs));
  logs
    .command("show")
    .argument("<id>", "the X-Request-Id of its reply")
    .description("one request: what was sent, what was returned, and the records that it made")
    .addHelpText("after", examples("jara logs show req_8Zk2mQ0xLw1", "jara logs show req_8Zk2mQ0xLw1 --json"))
    .action(run(world, async () => (await import("../commands/logs.ts")).showRequest));
}

function statusOf(text: string): string {
  if (/^[1-5](?:\d\d|xx)$/.test(text)) return text;
  throw new InvalidArgumentError("A status such as 404, or a kind of them such as 4xx.");
}

function methodOf(text: string): string {
  const method = text.toUpperCase();
  if (methods.includes(method)) return method;
  throw new InvalidArgumentError(`One of ${methods.join(", ")}.`);
}
