/**
 * On the machine that the server runs on, examples carry the reader's own sandbox key and base URL. The server gives
 * them to no other reader: see local-trial.ts there.
 */
interface Trial {
  readonly baseUrl: string;
  readonly secretKey: string;
}

export async function fillExamples(): Promise<void> {
  const places = document.querySelectorAll<HTMLElement>("[data-fill]");
  if (places.length === 0) return;
  const trial = await readTrial();
  for (const place of places) {
    if (trial === undefined) break;
    const own = place.dataset["fill"] === "base-url" ? trial.baseUrl : trial.secretKey;
    place.textContent = "quoted" in place.dataset ? JSON.stringify(own) : own;
    place.classList.add("filled");
  }
  const note = document.querySelector<HTMLElement>(".yours");
  if (note === null) return;
  note.textContent =
    trial === undefined
      ? "The examples use $BASE and $KEY: your server's address and a sandbox key. The quick start sets both."
      : "The examples carry your own sandbox key. Copy one and run it.";
  note.hidden = false;
}

async function readTrial(): Promise<Trial | undefined> {
  try {
    const reply = await fetch("/docs/trial.json", { headers: { accept: "application/json" } });
    return reply.ok ? ((await reply.json()) as { data: Trial | undefined }).data : undefined;
  } catch {
    // The examples are of use without it.
    return undefined;
  }
}
