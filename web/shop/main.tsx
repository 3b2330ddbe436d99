import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "../shared/styles.css";
import "./shop.css";
import { OrderPage } from "./order-page.tsx";
import { StorePage } from "./store-page.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");

const { pathname, search } = window.location;
// Of the address only the session's id is used; how the order ended is asked for.
const sessionId = new URLSearchParams(search).get("session_id");
createRoot(root).render(
  <StrictMode>{pathname === "/shop/order" ? <OrderPage sessionId={sessionId} /> : <StorePage />}</StrictMode>,
);
