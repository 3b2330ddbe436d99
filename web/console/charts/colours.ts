/** The colours of the page as a canvas takes them: it knows no variables, and no light and dark. */
import { useEffect, useState } from "react";
import { useTheme } from "../shell/theme.ts";

export type ChartColour = "brand" | "info" | "danger" | "strong";

export type Palette = Readonly<Record<ChartColour | "soft" | "line", string>>;

const names = ["brand", "info", "danger", "strong", "soft", "line"] as const;

function readPalette(): Palette {
  const probe = document.createElement("span");
  document.body.append(probe);
  const pairs = names.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(pairs);
}

/** Read again when the person or the system changes the scheme. */
export function usePalette(): Palette {
  const theme = useTheme();
  const [palette, setPalette] = useState(readPalette);
  useEffect(() => {
    // A person who chooses a theme gives its name to the page before we look.
    if (theme !== "system") setPalette(readPalette());
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    const look = () => setPalette(readPalette());
    look();
    dark.addEventListener("change", look);
    return () => dark.removeEventListener("change", look);
  }, [theme]);
  return palette;
}
