import type { ReactNode } from "react";

/** The shop's own house: warm where the checkout is cool, so that a newcomer sees where one ends and the other begins. */
export function ShopFrame({ children }: { readonly children: ReactNode }) {
  return (
    <div className="shop">
      <header className="shop-header">
        <a href="/shop" className="shop-name">
          <span className="shop-sign" aria-hidden="true">
            B
          </span>
          Balogun Home
        </a>
        <span className="badge">Demo shop</span>
      </header>
      <main>{children}</main>
      <footer className="shop-footer">
        <p>
          A demo shop in your sandbox: no real money moves and nothing is delivered. It sells through our{" "}
          <a href="/docs">public API</a>
        </p>
      </footer>
    </div>
  );
}
