/** "Firefox on Android", from what a browser says of itself. It may lie, so it is a help and no proof. */
export function deviceOf(userAgent: string | null): string {
  if (userAgent === null || userAgent === "") return "An unknown device";
  const browser = firstOf(browsers, userAgent) ?? "A browser";
  const system = firstOf(systems, userAgent);
  return system === undefined ? browser : `${browser} on ${system}`;
}

type Sign = readonly [sign: RegExp, name: string];

/** In this order: most browsers name others as well. */
const browsers: readonly Sign[] = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"],
  [/^curl\//, "curl"],
];

const systems: readonly Sign[] = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
];

function firstOf(signs: readonly Sign[], text: string): string | undefined {
  return signs.find(([sign]) => sign.test(text))?.[1];
}
