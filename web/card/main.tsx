import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "../shared/styles.css";
import "./card.css";
import { readPageAddress } from "../shared/page-token.ts";
import { CardPage } from "./card-page.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");

const { token } = readPageAddress(window.location, () => window.sessionStorage);
createRoot(root).render(
  <StrictMode>
    <CardPage token={token} />
  </StrictMode>,
);
