/** Files and processes of somebody else raise no event that we could await, so they are looked at again and again. */
const pauseMs = 10;

/** False when the time ran out first. */
export async function waitUntil(holds: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!holds()) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return true;
}
