import "./docs.css";
import { addCopyButtons } from "./copy.ts";
import { fillExamples } from "./fill.ts";
import { openMenu } from "./menu.ts";
import { openSearch } from "./search.ts";
import { openThemes } from "./theme.ts";

// The reference was at /docs once, and people have kept addresses of its sections.
if (window.location.pathname.replace(/\/$/, "") === "/docs" && /^#(tag|model|webhook)\//.test(window.location.hash)) {
  window.location.replace(`/docs/reference${window.location.hash}`);
}

openThemes();
openMenu();
openSearch(document.body.dataset["search"] ?? "");
addCopyButtons();
void fillExamples();
