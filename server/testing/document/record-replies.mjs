/**
 * Goes into every process below a test's server (`node --import`), npm and the bootstrap included, and does something
 * in the server's own alone: those may run on a Node that cannot read TypeScript.
 */
if (/main\.[jt]s$/.test(process.argv[1] ?? "")) await import("./recorded-process.ts");
