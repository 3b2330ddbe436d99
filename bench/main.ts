/** `npm run bench <name>`: benchmarks that compare within one run, because machines differ and are noisy. */
import { benchAdvance } from "./advance.ts";
import { benchLifecycle } from "./lifecycle.ts";
import { benchNeighbours } from "./neighbours.ts";
import { benchReads } from "./reads.ts";
import { benchTransfers } from "./transfers.ts";
import { benchWebhooks } from "./webhooks.ts";

const benches: Readonly<Record<string, () => Promise<void>>> = {
  transfers: benchTransfers,
  lifecycle: benchLifecycle,
  webhooks: benchWebhooks,
  neighbours: benchNeighbours,
  advance: benchAdvance,
  reads: benchReads,
};

const name = process.argv[2] ?? "";
const bench = benches[name];
if (bench === undefined) {
  console.error(`There is no benchmark ${JSON.stringify(name)}. Choose one of: ${Object.keys(benches).join(", ")}`);
  process.exit(1);
}
await bench();
process.exit(0);
