/**
 * The reader's choice between light, dark and what the system says, remembered in the browser. The colours of the night
 * stand once, in `@media (prefers-color-scheme: dark)`, which the hosted pages share: a choice changes when those rules
 * hold, so no colour is written twice.
 */
const themes = ["system", "light", "dark"] as const;
type Theme = (typeof themes)[number];

const place = "jara-docs-theme";
/** As text, not as pictures of their own colour. */
const signs: Readonly<Record<Theme, string>> = { system: "◐", light: "☀\uFE0E", dark: "☾\uFE0E" };
const atNight = "(prefers-color-scheme: dark)";
const holds: Readonly<Record<Theme, string>> = { system: atNight, light: "(max-width: 0px)", dark: "(min-width: 0px)" };

export function openThemes(): void {
  const button = document.querySelector<HTMLButtonElement>("button.theme");
  if (button === null) return;
  const rules = findNightRules();
  const show = (theme: Theme) => {
    for (const { rule, condition } of rules) rule.media.mediaText = condition.replace(atNight, holds[theme]);
    document.documentElement.style.colorScheme = theme === "system" ? "" : theme;
    button.textContent = signs[theme];
    button.ariaLabel = `Theme: ${theme}`;
    button.title = `Theme: ${theme}`;
  };
  let theme = readChoice();
  show(theme);
  button.hidden = false;
  button.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system";
    show(theme);
    keepChoice(theme);
  });
}

interface NightRule {
  readonly rule: CSSMediaRule;
  readonly condition: string;
}

function findNightRules(): NightRule[] {
  return [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSMediaRule)
    .map((rule) => ({ rule, condition: rule.media.mediaText }))
    .filter(({ condition }) => condition.includes(atNight));
}

/** A browser that keeps nothing for us shows what the system says. */
function readChoice(): Theme {
  try {
    return themes.find((theme) => theme === window.localStorage.getItem(place)) ?? "system";
  } catch {
    return "system";
  }
}

function keepChoice(theme: Theme): void {
  try {
    window.localStorage.setItem(place, theme);
  } catch {
    // It holds for this page.
  }
}
