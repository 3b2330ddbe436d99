/** Light, dark, or what the system says. The choice stays with the browser. */
import { useSyncExternalStore } from "react";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const store = "jara-console-theme";
const listeners = new Set<() => void>();

export function storedTheme(): Theme {
  const kept = localStorage.getItem(store);
  return themes.find((theme) => theme === kept) ?? "system";
}

export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(store, theme);
  applyTheme(theme);
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, storedTheme);
}
