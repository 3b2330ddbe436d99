import type { LoggedRequest } from "@jara/sdk";
import { StatusChip } from "../parts/status-chip.tsx";
import { toneOfReply } from "./request.ts";

/** 201, or 422 with the code of the refusal. */
export function ReplyStatus({
  request: { status, code },
}: {
  readonly request: Pick<LoggedRequest, "status" | "code">;
}) {
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <StatusChip status={String(status)} tone={toneOfReply(status)} />
      {code === null ? null : <span className="font-mono text-xs text-soft">{code}</span>}
    </span>
  );
}
