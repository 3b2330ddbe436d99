import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "../shared/styles.css";
import "./checkout.css";
import "./plan.css";
import { readPageAddress } from "../shared/page-token.ts";
import { CheckoutPage } from "./checkout-page.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");

const { token } = readPageAddress(window.location, () => window.sessionStorage);
createRoot(root).render(
  <StrictMode>
    <CheckoutPage token={token} />
  </StrictMode>,
);
