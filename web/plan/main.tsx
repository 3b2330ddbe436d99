import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "../shared/styles.css";
import "./plan.css";
import { readPageAddress } from "../shared/page-token.ts";
import { PlanPage } from "./plan-page.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");

createRoot(root).render(
  <StrictMode>
    <PlanPage address={readPageAddress(window.location, () => window.sessionStorage)} />
  </StrictMode>,
);
