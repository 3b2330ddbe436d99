import { useEffect, useState } from "react";
import { Button } from "../shared/button.tsx";
import { ApiProblem } from "../shared/call-api.ts";
import { Notice } from "../shared/notice.tsx";
import { OrderForm } from "./order-form.tsx";
import { ProductCard } from "./product-card.tsx";
import { type Product, readProducts } from "./shop-api.ts";
import { ShopFrame } from "./shop-frame.tsx";

export function StorePage() {
  const [products, setProducts] = useState<readonly Product[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [chosen, setChosen] = useState<Product | null>(null);
  const load = () => {
    setProblem(null);
    readProducts().then(setProducts, (error: unknown) => {
      setProblem(error instanceof ApiProblem ? error.message : "The shop could not be opened.");
    });
  };
  useEffect(load, []);
  return (
    <ShopFrame>
      {chosen === null ? (
        <Shelves products={products} problem={problem} retry={load} onBuy={setChosen} />
      ) : (
        <OrderForm product={chosen} onBack={() => setChosen(null)} />
      )}
    </ShopFrame>
  );
}

interface ShelvesProps {
  readonly products: readonly Product[];
  readonly problem: string | null;
  retry(): void;
  onBuy(product: Product): void;
}

function Shelves({ products, problem, retry, onBuy }: ShelvesProps) {
  return (
    <>
      <div className="shop-welcome">
        <h1>Good things for your home</h1>
        <p className="lead">Take it home today and pay month by month.</p>
      </div>
      {problem === null ? null : (
        <Notice tone="problem" title={problem}>
          <Button kind="link" onPress={retry}>
            Try again
          </Button>
        </Notice>
      )}
      <ul className="shelves">
        {products.map((product) => (
          <ProductCard key={product.id} product={product} onBuy={() => onBuy(product)} />
        ))}
      </ul>
    </>
  );
}
