/** Reports of delivery. Termii names a message by its own id, and a report only notes what became of it. */
import { isSigned } from "../hook-signature.ts";
import type { Hint, HookRequest } from "../provider.ts";
import { parseWireJson, recordAt, textOf } from "../wire-json.ts";

export function readHook(key: string, { body, headers }: HookRequest): Hint {
  if (!isSigned(key, body, headers["x-termii-signature"])) return { about: "forged" };
  const report = recordAt(parseWireJson(body.toString("utf8")));
  const id = textOf(report["message_id"]);
  const event = textOf(report["status"])?.slice(0, 100) ?? "unreadable";
  return id === undefined ? { about: "nothing", event } : { about: "message", id, event };
}
