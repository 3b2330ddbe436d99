import { Button } from "../shared/button.tsx";
import type { Checkout } from "./use-checkout.ts";

interface CancelLinkProps {
  readonly merchantName: string;
  readonly checkout: Checkout;
}

export function CancelLink({ merchantName, checkout }: CancelLinkProps) {
  const cancel = () => void checkout.act("cancel");
  return (
    <Button kind="link" busy={checkout.busy === "cancel"} busyText="Cancelling" onPress={cancel}>
      {`Cancel and return to ${merchantName}`}
    </Button>
  );
}
