/** How Scalar shows our references: the document, the key that it asks for, and its looks. */
import type { Audience } from "./openapi/document.ts";

export const scriptPath = "/docs/scalar.js";

/** Whose page it is, where it is, and which document it shows. */
export const references = {
  integrators: { page: "/docs", document: "/openapi.json", scheme: "secretKey", title: "Jara API reference" },
  operators: {
    page: "/docs/operator",
    document: "/openapi.operator.json",
    scheme: "operatorToken",
    title: "Jara operator API reference",
  },
} as const satisfies Record<Audience, unknown>;

const brand = `
  .light-mode {
    --scalar-color-accent: #0b7a4b; --scalar-background-accent: #0b7a4b14; --scalar-sidebar-color-active: #0b7a4b;
  }
  .dark-mode {
    --scalar-color-accent: #3ecf8e; --scalar-background-accent: #3ecf8e1f; --scalar-sidebar-color-active: #3ecf8e;
  }
  :root { --scalar-radius: 6px; --scalar-font: system-ui, sans-serif; --scalar-font-code: ui-monospace, monospace; }
`;

export function settingsOf(audience: Audience) {
  const { document, scheme, title } = references[audience];
  return {
    url: document,
    cdn: scriptPath,
    pageTitle: title,
    favicon: "data:,",
    // Nothing may leave the machine: no fonts, no telemetry, no hosted assistants.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true, hideAddApi: true },
    mcp: { disabled: true },
    theme: "default",
    layout: "modern",
    defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
    showDeveloperTools: "never",
    hideClientButton: true,
    authentication: { preferredSecurityScheme: scheme },
    customCss: brand,
  } as const;
}
