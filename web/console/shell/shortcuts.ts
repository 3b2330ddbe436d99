/** Keys that work everywhere. A key that somebody types into a field is text and does nothing. */
import { useEffect } from "react";

export interface Shortcut {
  /** As KeyboardEvent.key names it. */
  readonly key: string;
  /** With Ctrl, or ⌘ on a Mac; such a key works in fields, too. */
  readonly control?: boolean;
  readonly act: () => void;
}

interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly inField: boolean;
}

export function shortcutFor(shortcuts: readonly Shortcut[], pressed: Pressed): Shortcut | undefined {
  const control = pressed.ctrlKey || pressed.metaKey;
  if (pressed.altKey || (pressed.inField && !control)) return undefined;
  return shortcuts.find(
    (shortcut) => shortcut.key.toLowerCase() === pressed.key.toLowerCase() && (shortcut.control ?? false) === control,
  );
}

export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const inField = event.target instanceof HTMLElement && isField(event.target);
      const found = shortcutFor(shortcuts, {
        key: event.key,
        ctrlKey: event.ctrlKey,
        metaKey: event.metaKey,
        altKey: event.altKey,
        inField,
      });
      if (found === undefined) return;
      event.preventDefault();
      found.act();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  });
}

function isField(element: HTMLElement): boolean {
  return element.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(element.tagName);
}

/** Moves the focus to the next or the one before among the rows of a list that are links. */
export function stepThroughRows(direction: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = at === -1 ? (direction === 1 ? 0 : rows.length - 1) : at + direction;
  rows[Math.min(Math.max(next, 0), rows.length - 1)]?.focus();
}
