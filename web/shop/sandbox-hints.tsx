import { Button } from "../shared/button.tsx";
import { Notice } from "../shared/notice.tsx";
import type { Shopper } from "./shop-api.ts";
import { newShopper, refusedShopper } from "./shoppers.ts";

/** What a developer can try here, one press away. */
export function SandboxHints({ onFill }: { onFill(shopper: Shopper): void }) {
  return (
    <Notice tone="sandbox" title="Things to try">
      <p>
        The customer above is made up. The code in the SMS is always 123456. A first customer can borrow up to ₦200,000,
        so the chest freezer is refused.
      </p>
      <div className="hint-actions">
        <Button kind="link" onPress={() => onFill(newShopper(Math.random))}>
          Fill in a new customer
        </Button>
        <Button kind="link" onPress={() => onFill(refusedShopper(Math.random))}>
          Fill in one who is refused (BVN ending 0000)
        </Button>
      </div>
    </Notice>
  );
}
