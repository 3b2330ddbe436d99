import type { ReactNode } from "react";

interface ButtonProps {
  readonly children: ReactNode;
  readonly kind?: "primary" | "quiet" | "link";
  readonly type?: "button" | "submit";
  /** Work is under way: the button stays where the focus is, and further presses do nothing. */
  readonly busy?: boolean;
  readonly busyText?: string;
  readonly disabled?: boolean;
  readonly onPress?: () => void;
}

export function Button(props: ButtonProps) {
  const { children, kind = "primary", type = "button", busy = false, busyText, disabled = false, onPress } = props;
  return (
    <button
      type={type}
      className={`button button-${kind}`}
      aria-disabled={busy || disabled}
      aria-busy={busy}
      onClick={(event) => {
        if (busy || disabled) event.preventDefault();
        else onPress?.();
      }}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : null}
      <span>{busy && busyText !== undefined ? busyText : children}</span>
    </button>
  );
}
