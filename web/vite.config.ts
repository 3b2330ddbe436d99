/**
 * Five pages that share their runtime: the hosted checkout, the card page, the plan's page, the demo shop and the
 * console. The documentation has none of that: its shell and script are built here, its pages by site/build-site.ts.
 */
import { join } from "node:path";
import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const page = (name: string) => join(import.meta.dirname, name, "index.html");

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwind()],
  resolve: {
    // Dialogs lock the page's scrolling through it. It writes <style> elements, which our policy forbids.
    alias: { "react-style-singleton": join(import.meta.dirname, "console", "parts", "adopted-style.ts") },
  },
  build: {
    target: "es2022",
    // A file in the page's own text would need a policy that lets such text in.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        checkout: page("checkout"),
        card: page("card"),
        plan: page("plan"),
        shop: page("shop"),
        console: page("console"),
        docs: page("docs"),
      },
      output: {
        codeSplitting: {
          groups: [
            { name: "react", test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 2 },
            // What draws nothing (.ts) is shared with the console, too. That has looks of its own, and would be given
            // those of the hosted pages with anything of theirs that draws (.tsx).
            { name: "base", test: /web[\\/]shared[\\/][^\\/]+\.ts$/, priority: 2 },
            { name: "shared", test: /web[\\/]shared/, priority: 1 },
          ],
        },
      },
    },
  },
});
