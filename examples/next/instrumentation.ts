/** Next calls this once, when the server starts. */
export async function register(): Promise<void> {
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return;
  const { payOutPlaced } = await import("./lib/pay-out.ts");
  setInterval(payOutPlaced, 30_000);
  await payOutPlaced();
}
