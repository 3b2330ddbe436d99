/** A button that opens a window, asks what it needs to know, acts, and shows what came of it. */
import { type FormEvent, type ReactNode, useState } from "react";
import { copyText } from "../../shared/clipboard.ts";
import { type Action, useAction } from "../api/queries.ts";
import { Button, type ButtonLook } from "./button.tsx";
import { Modal } from "./modal.tsx";
import { Failure } from "./states.tsx";

export interface ActionButtonProps<Data> {
  readonly label: string;
  readonly look?: ButtonLook;
  /** False takes the button away. A window that is open stays, so that its outcome can be read. */
  readonly offered?: boolean;
  /** What will happen, in one sentence. */
  readonly about: string;
  /** What stands on the button that acts, where it differs. */
  readonly confirm?: string;
  readonly fields?: ReactNode;
  /** Fields come trimmed; `raw` gives them as they were typed, for passwords. */
  readonly request: (form: (name: string) => string, raw: (name: string) => string) => Action;
  /** What is done after it, once it has succeeded; its reply is the one that is shown. */
  readonly afterwards?: (form: (name: string) => string) => Action;
  /** What is shown afterwards; without it the window closes. */
  readonly result?: (data: Data) => ReactNode;
}

export function ActionButton<Data>({ label, look = "plain", offered = true, ...rest }: ActionButtonProps<Data>) {
  const [open, setOpen] = useState(false);
  return (
    <>
      {offered ? (
        <Button look={look} onClick={() => setOpen(true)}>
          {label}
        </Button>
      ) : null}
      {open ? <ActionWindow<Data> label={label} look={look} onClose={() => setOpen(false)} {...rest} /> : null}
    </>
  );
}

type ActionWindowProps<Data> = ActionButtonProps<Data> & { readonly onClose: () => void };

function ActionWindow<Data>(props: ActionWindowProps<Data>) {
  const { label, look, about, confirm = label, fields, request, afterwards, result, onClose } = props;
  const action = useAction<Data>();
  // One key for the window: whoever presses twice, or again after a broken line, acts once. Corrected in between, it is
  // refused if the first one had arrived: two that differ a little must not both be done.
  const [key] = useState(() => crypto.randomUUID());
  const [nextKey] = useState(() => crypto.randomUUID());
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const raw = (name: string) => String(form.get(name) ?? "");
    const trimmed = (name: string) => raw(name).trim();
    const asked = { key, ...request(trimmed, raw) };
    const next = afterwards === undefined ? {} : { next: { key: nextKey, ...afterwards(trimmed) } };
    action.mutate({ ...asked, ...next }, { onSuccess: () => (result === undefined ? onClose() : undefined) });
  };
  const isDone = action.isSuccess && result !== undefined;
  return (
    <Modal open onClose={onClose} title={label} about={about}>
      {isDone ? (
        <div role="status">{result(action.data)}</div>
      ) : (
        <form onSubmit={submit} className="grid gap-4">
          {fields}
          {action.isError ? <Failure error={action.error} /> : null}
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" look={look === "danger" ? "danger" : "primary"} disabled={action.isPending}>
              {action.isPending ? "One moment" : confirm}
            </Button>
          </div>
        </form>
      )}
    </Modal>
  );
}

/** A secret, shown once: hidden until it is copied, and to be read where the browser lets nobody copy. */
export function SecretOnce({ secret, what }: { readonly secret: string; readonly what: string }) {
  const [copied, setCopied] = useState<boolean>();
  return (
    <div className="grid gap-3">
      <p>This is the only time that {what} is shown. Copy it to where your server keeps its secrets.</p>
      <input
        className="field font-mono"
        type={copied === false ? "text" : "password"}
        readOnly
        value={secret}
        aria-label={what}
      />
      {copied === false ? (
        <p role="alert">This browser does not let the page copy. Select the text above and copy it yourself.</p>
      ) : (
        <div>
          <Button look="primary" onClick={async () => setCopied(await copyText(secret))}>
            {copied ? "Copied" : "Copy"}
          </Button>
        </div>
      )}
    </div>
  );
}
