import { Modal } from "../parts/modal.tsx";

const keys = [
  ["Ctrl K or ⌘K", "Search, or go to any page"],
  ["/", "The same"],
  ["j and k", "Down and up in a list"],
  ["Enter", "Open the row"],
  ["Esc", "Close what is open"],
  ["?", "This window"],
] as const;

export function HelpWindow({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  return (
    <Modal open={open} onClose={onClose} title="Keys" about="Everything in the console works from the keyboard.">
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        {keys.map(([key, does]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded border border-strong px-1.5 py-0.5 font-mono text-xs">{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p className="text-soft">
        The guides are in the{" "}
        <a className="text-brand underline" href="/docs">
          documentation
        </a>
        , every endpoint in the{" "}
        <a className="text-brand underline" href="/docs/reference">
          API reference
        </a>
        .
      </p>
    </Modal>
  );
}
