/**
 * What the script of the documentation adds to its pages: menu, theme, copy buttons, the reader's own key.
 */
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { pressKey, settle } from "../testing/draw.tsx";
import { brokenLine, refuse, replyWith } from "../testing/replies.ts";
import { addCopyButtons } from "./copy.ts";
import { fillExamples } from "./fill.ts";
import { openMenu } from "./menu.ts";
import { openThemes } from "./theme.ts";

afterEach(() => vi.restoreAllMocks());

beforeEach(() => {
  document.documentElement.className = "";
  document.body.replaceChildren();
});

const pressed = (selector: string) => settle(() => document.querySelector<HTMLElement>(selector)?.click());
const textOf = (selector: string) => document.querySelector(selector)?.textContent;

describe("the menu", () => {
  const isOpen = () => [
    document.querySelector("button")?.getAttribute("aria-expanded"),
    document.documentElement.classList.contains("menu-open"),
  ];

  test("opens and closes by its button", async () => {
    document.body.innerHTML = '<button class="menu" hidden aria-expanded="false">Menu</button>';
    openMenu();
    expect(document.querySelector("button")?.hidden).toBe(false);
    await pressed("button");
    expect(isOpen()).toEqual(["true", true]);
    await pressed("button");
    expect(isOpen()).toEqual(["false", false]);
  });

  test("Escape closes it and leads back to the button", async () => {
    document.body.innerHTML = '<button class="menu" aria-expanded="false">Menu</button><a href="#x">x</a>';
    openMenu();
    await pressKey("Escape", document.body);
    expect(document.activeElement).toBe(document.body);
    await pressed("button");
    await pressKey("Escape", document.body);
    expect(isOpen()).toEqual(["false", false]);
    expect(document.activeElement).toBe(document.querySelector("button"));
  });
});

describe("the theme", () => {
  beforeEach(() => {
    localStorage.clear();
    document.body.innerHTML = '<button class="theme" hidden></button>';
  });
  const label = () =>
    document.querySelector("button")?.getAttribute("aria-label") ?? document.querySelector("button")?.ariaLabel;

  test("goes from system to light to dark and round, and is remembered", async () => {
    openThemes();
    const seen = [label()];
    for (let press = 0; press < 3; press += 1) {
      await pressed("button");
      seen.push(label());
    }
    expect(seen).toEqual(["Theme: system", "Theme: light", "Theme: dark", "Theme: system"]);
    expect(localStorage.getItem("jara-docs-theme")).toBe("system");
  });

  test.each([
    ["dark", "Theme: dark"],
    ["purple", "Theme: system"],
  ])("a browser that kept %s begins with %s", (kept, shown) => {
    localStorage.setItem("jara-docs-theme", kept);
    openThemes();
    expect(label()).toBe(shown);
  });

  test("a browser that keeps nothing still changes it for this page", async () => {
    const forbidden = () => {
      throw new Error("storage is off");
    };
    vi.stubGlobal("localStorage", { getItem: forbidden, setItem: forbidden });
    onTestFinished(() => void vi.unstubAllGlobals());
    openThemes();
    await pressed("button");
    expect(label()).toBe("Theme: light");
  });
});

describe("copying an example", () => {
  beforeEach(() => {
    document.body.innerHTML = '<pre class="code" data-language="sh">curl <span>sk_1</span></pre><pre>plain</pre>';
    addCopyButtons();
  });

  test("takes its text as it stands, with what was filled in", async () => {
    const written = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    await pressed(".copy");
    expect(written).toHaveBeenCalledWith("curl sk_1");
    expect(textOf(".copy")).toBe("Copied");
    expect(document.querySelectorAll(".copy")).toHaveLength(1);
    expect(textOf(".language")).toBe("sh");
  });

  test("over plain http the reader is told to select it", async () => {
    vi.stubGlobal("navigator", { clipboard: undefined });
    onTestFinished(() => void vi.unstubAllGlobals());
    await pressed(".copy");
    expect(textOf(".copy")).toBe("Select it and copy");
  });
});

describe("the reader's own key", () => {
  beforeEach(() => {
    document.body.innerHTML = `<p class="yours" hidden></p><span data-fill="base-url">$BASE</span>
      <span data-fill="secret-key" data-quoted>process.env.KEY</span>`;
  });
  const fills = () => [...document.querySelectorAll("[data-fill]")].map(({ textContent }) => textContent);

  test("stands in the examples on the machine that the server runs on", async () => {
    replyWith({ "GET /docs/trial.json": () => ({ baseUrl: "http://localhost:4000", secretKey: "sk_test_1" }) });
    await fillExamples();
    expect(fills()).toEqual(["http://localhost:4000", '"sk_test_1"']);
    expect(textOf(".yours")).toContain("your own sandbox key");
  });

  test.each([
    ["the server gives none", () => refuse(404, "not_found")],
    ["the line is broken", brokenLine],
    ["a proxy returns a page of its own", () => new Response("<html>", { headers: { "content-type": "text/html" } })],
  ])("where %s the examples stay as they are, and the note explains them", async (_, reply) => {
    replyWith({ "GET /docs/trial.json": reply });
    await fillExamples();
    expect(fills()).toEqual(["$BASE", "process.env.KEY"]);
    expect(textOf(".yours")).toContain("The quick start sets both.");
  });

  test("a page without examples asks for no key", async () => {
    document.body.replaceChildren();
    const asked = replyWith({});
    await fillExamples();
    expect(asked).toEqual([]);
  });
});
