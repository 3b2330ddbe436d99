import { Button } from "../shared/button.tsx";
import { formatNaira } from "../shared/naira.ts";
import { ProductDrawing } from "./product-drawing.tsx";
import type { Product } from "./shop-api.ts";

interface ProductCardProps {
  readonly product: Product;
  onBuy(): void;
}

export function ProductCard({ product, onBuy }: ProductCardProps) {
  return (
    <li className="product">
      <ProductDrawing id={product.id} />
      <div className="product-text">
        <h2>{product.name}</h2>
        <p className="product-description">{product.description}</p>
        <p className="product-price amount">{formatNaira(product.price)}</p>
      </div>
      <Button onPress={onBuy}>
        Buy now, pay later <span className="visually-hidden">: {product.name}</span>
      </Button>
    </li>
  );
}
