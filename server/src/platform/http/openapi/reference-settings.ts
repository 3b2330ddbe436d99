/** How Scalar shows our references: the document, the key that it asks for, and its looks. */

export const scriptPath = "/docs/scalar.js";

/** Who reads, which document they are shown, and how they authenticate. The developer sits at the server's machine. */
export const readers = {
  integrator: { document: "/openapi.json", scheme: "secretKey", title: "Jara API reference" },
  developer: { document: "/docs/openapi.json", scheme: "secretKey", title: "Jara API reference" },
  operator: { document: "/openapi.operator.json", scheme: "operatorToken", title: "Jara operator API reference" },
} as const;

export type Reader = keyof typeof readers;

const brand = `
  .light-mode {
    --scalar-color-accent: #0b7a4b; --scalar-background-accent: #0b7a4b14; --scalar-sidebar-color-active: #0b7a4b;
  }
  .dark-mode {
    --scalar-color-accent: #3ecf8e; --scalar-background-accent: #3ecf8e1f; --scalar-sidebar-color-active: #3ecf8e;
  }
  :root { --scalar-radius: 6px; --scalar-font: system-ui, sans-serif; --scalar-font-code: ui-monospace, monospace; }
`;

/** The developer alone is given the key. */
export function settingsOf(reader: Reader, secretKey: string | undefined) {
  const { document, scheme, title } = readers[reader];
  const token = reader === "developer" && secretKey !== undefined ? { secretKey: { token: secretKey } } : {};
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
    authentication: { preferredSecurityScheme: scheme, securitySchemes: token },
    customCss: brand,
  } as const;
}
