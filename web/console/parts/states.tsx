/** What a page shows while it has nothing to show: it waits, there is nothing yet, or something went wrong. */
import { Terminal, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { ApiProblem } from "../../shared/call-api.ts";
import { Button } from "./button.tsx";
import { CopyButton } from "./copy-button.tsx";
import { words } from "./figures.ts";

export function Skeleton({ lines = 6 }: { readonly lines?: number }) {
  return (
    <div role="status" className="grid gap-3 p-4">
      <span className="sr-only">Loading</span>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars without identity
        <div key={line} className={`skeleton h-4 ${["w-full", "w-5/6", "w-11/12", "w-2/3"][line % 4]}`} />
      ))}
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly children: ReactNode;
  /** The line that would make the first record. */
  readonly command?: string;
}

export function Empty({ title, children, command }: EmptyProps) {
  return (
    <div className="grid justify-items-center gap-3 px-4 py-12 text-center">
      <h2 className="text-base font-semibold">{title}</h2>
      <div className="max-w-prose text-soft">{children}</div>
      {command === undefined ? null : <CommandLine command={command} />}
    </div>
  );
}

export function CommandLine({ command }: { readonly command: string }) {
  return (
    <div className="flex w-full max-w-2xl items-start gap-2 rounded-lg border border-line bg-sunken p-3 text-left">
      <Terminal aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-soft" />
      <code className="min-w-0 flex-1 font-mono text-xs break-all whitespace-pre-wrap">{command}</code>
      <CopyButton text={command} label="Copy the command" bare />
    </div>
  );
}

interface FailureProps {
  readonly error: unknown;
  readonly retry?: () => void;
}

/** What to do about a refusal, in words. The id leads to the log. */
export function Failure({ error, retry }: FailureProps) {
  const refusal = error instanceof ApiProblem ? error.refusal : undefined;
  return (
    <div role="alert" className="m-4 grid gap-2 rounded-lg border border-line bg-danger-tint p-4">
      <p className="flex items-center gap-2 font-semibold text-danger">
        <TriangleAlert aria-hidden="true" className="size-4" />
        {headline(refusal)}
      </p>
      <p className="text-sm text-ink">{advice(refusal?.status, refusal?.code)}</p>
      {refusal === undefined || refusal.errors.length === 0 ? null : (
        <ul className="list-disc pl-5 text-sm text-ink">
          {refusal.errors.map(({ field, message }) => (
            <li key={`${field} ${message}`}>{`${words(field)}: ${message}`}</li>
          ))}
        </ul>
      )}
      {refusal === undefined ? null : (
        <p className="font-mono text-xs break-all text-soft">
          {refusal.code}
          {refusal.requestId === undefined ? "" : ` · ${refusal.requestId}`}
        </p>
      )}
      {retry === undefined ? null : (
        <div>
          <Button onClick={retry}>Try again</Button>
        </div>
      )}
    </div>
  );
}

/** A key is the page's own affair: what its conflict means to a person is that the first try got through. */
const arrivedBefore = "idempotency_key_conflict";

function headline(refusal: ApiProblem["refusal"] | undefined): string {
  if (refusal === undefined)
    return "This page has a mistake. Load it again; if it stays, tell whoever runs this server.";
  return refusal.code === arrivedBefore ? "Your first try was done." : refusal.message;
}

export function advice(status: number | undefined, code?: string): string {
  if (code === "proof_needed") return "Nothing was done. Try again, and confirm that it is you.";
  if (code === arrivedBefore)
    return "Only its reply was lost. What you have changed since was not done: close this, look, then begin again.";
  if (status === 403) return "Your role does not include this. Ask an owner of the merchant to change it.";
  if (status === 404) return "Check the address, or that you are in the right environment: LIVE and SANDBOX are apart.";
  if (status === 429) return "Too many requests at once. Wait a moment, then try again.";
  if (status === 0) return "Nothing is lost. When the connection is back, try again.";
  if (status !== undefined && status >= 500) return "The server is not well. Nothing that you saw done was undone.";
  return "Correct what the sentence names, then try again.";
}
