import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import { type ReactNode, useState } from "react";

interface ModalProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** One sentence that says what this is for. */
  readonly about: string;
  readonly children: ReactNode;
  readonly wide?: boolean;
}

/** A window over the page: it takes the focus, gives it back, and Escape closes it. */
export function Modal({ open, onClose, title, about, children, wide = false }: ModalProps) {
  return (
    <Dialog.Root open={open} onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <FocusKeeper
          className={`card fixed top-1/2 left-1/2 z-50 grid max-h-[92dvh] w-[calc(100vw-1.5rem)]
            -translate-x-1/2 -translate-y-1/2 gap-4 overflow-y-auto p-5 shadow-2xl
            ${wide ? "max-w-4xl" : "max-w-lg"}`}
        >
          <header className="flex items-start justify-between gap-4">
            <div>
              <Dialog.Title className="text-lg font-semibold">{title}</Dialog.Title>
              <Dialog.Description className="text-soft">{about}</Dialog.Description>
            </div>
            <Dialog.Close className="rounded-md p-1.5 text-soft hover:bg-hover hover:text-ink">
              <X aria-hidden="true" className="size-5" />
              <span className="sr-only">Close</span>
            </Dialog.Close>
          </header>
          {children}
        </FocusKeeper>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/**
 * Radix gives the focus back to its own trigger alone, and these windows are opened by whatever was pressed: without
 * this a person at the keyboard would begin at the top of the page again.
 */
export function FocusKeeper(props: Dialog.DialogContentProps) {
  const [opener] = useState(() => document.activeElement);
  const giveBack = (event: Event) => {
    event.preventDefault();
    if (opener instanceof HTMLElement) opener.focus();
  };
  return <Dialog.Content {...props} onCloseAutoFocus={giveBack} />;
}
