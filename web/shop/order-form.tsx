import { useState } from "react";
import { Button } from "../shared/button.tsx";
import { ApiProblem } from "../shared/call-api.ts";
import { ErrorSummary } from "../shared/error-summary.tsx";
import { formatNaira } from "../shared/naira.ts";
import { Notice } from "../shared/notice.tsx";
import { ProductDrawing } from "./product-drawing.tsx";
import { type Complaints, complaintsOf } from "./refused-order.ts";
import { SandboxHints } from "./sandbox-hints.tsx";
import { type Product, placeOrder, type Shopper } from "./shop-api.ts";
import { ShopperFields } from "./shopper-fields.tsx";
import { firstShopper } from "./shoppers.ts";

interface OrderFormProps {
  readonly product: Product;
  onBack(): void;
}

export function OrderForm({ product, onBack }: OrderFormProps) {
  const [shopper, setShopper] = useState<Shopper>(firstShopper);
  const [complaints, setComplaints] = useState<Complaints>({});
  const [refusal, setRefusal] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    setBusy(true);
    try {
      const { url } = await placeOrder(product.id, shopper);
      window.location.assign(url);
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      const found = complaintsOf(error);
      setComplaints(found);
      setRefusal(Object.keys(found).length === 0 ? error.message : null);
      setAttempt((before) => before + 1);
      setBusy(false);
    }
  };
  return (
    <div className="order">
      <OrderedProduct product={product} onBack={onBack} />
      <form
        className="panel stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void submit();
        }}
      >
        <ErrorSummary attempt={attempt} complaints={summaryOf(complaints)} />
        {refusal === null ? null : <Refused text={refusal} />}
        <ShopperFields shopper={shopper} complaints={complaints} onChange={setShopper} />
        <SandboxHints onFill={setShopper} />
        <Button type="submit" busy={busy} busyText="Opening the checkout">
          Continue to pay later
        </Button>
      </form>
    </div>
  );
}

function summaryOf(complaints: Complaints) {
  return Object.entries(complaints).map(([field, text]) => ({ field, text }));
}

function Refused({ text }: { readonly text: string }) {
  return (
    <Notice tone="problem" title="The checkout could not be opened">
      <p>{text}</p>
    </Notice>
  );
}

function OrderedProduct({ product, onBack }: OrderFormProps) {
  return (
    <section className="ordered">
      <Button kind="link" onPress={onBack}>
        ← All products
      </Button>
      <ProductDrawing id={product.id} />
      <h1>{product.name}</h1>
      <p className="product-description">{product.description}</p>
      <p className="ordered-price amount">{formatNaira(product.price)}</p>
    </section>
  );
}
