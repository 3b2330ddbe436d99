import { formatDate } from "../shared/calendar.ts";
import type { IconName } from "../shared/icons.tsx";
import { formatNaira } from "../shared/naira.ts";
import { Outcome } from "../shared/outcome.tsx";
import type { Order } from "./shop-api.ts";

interface Words {
  readonly tone: "good" | "bad" | "neutral";
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
}

const words: Readonly<Record<Order["status"], Words>> = {
  completed: {
    tone: "good",
    icon: "check",
    title: "Thank you for your order",
    text: "It is paid, and we are packing it.",
  },
  open: {
    tone: "neutral",
    icon: "clock",
    title: "Your checkout is still open",
    text: "Nothing was paid yet. You can go on where you stopped.",
  },
  cancelled: {
    tone: "neutral",
    icon: "cross",
    title: "You did not buy anything",
    text: "The checkout was cancelled, and nothing was charged.",
  },
  expired: {
    tone: "neutral",
    icon: "clock",
    title: "The checkout has expired",
    text: "Nothing was charged. Order again if you still want it.",
  },
};

export function OrderState({ order }: { readonly order: Order }) {
  const { product, amount, loan, reference, status, url } = order;
  return (
    <Outcome {...words[status]}>
      <dl className="receipt">
        <Row name="Product">{product?.name ?? "Not known"}</Row>
        <Row name="Price">{formatNaira(amount)}</Row>
        {loan === null || status !== "completed" ? null : (
          <>
            <Row name={loan.tenor === 1 ? "In 1 month" : `${loan.tenor} monthly payments of`}>
              {formatNaira(loan.installmentAmount)}
            </Row>
            {loan.nextDueDate === null ? null : <Row name="Next payment">{formatDate(loan.nextDueDate)}</Row>}
          </>
        )}
        <Row name="Order">{reference}</Row>
      </dl>
      {status === "open" && url !== null ? (
        <a className="button button-primary" href={url}>
          Go on with the checkout
        </a>
      ) : (
        <a className="button button-primary" href="/shop">
          {status === "completed" ? "Buy something else" : "Back to the shop"}
        </a>
      )}
    </Outcome>
  );
}

function Row({ name, children }: { readonly name: string; readonly children: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
