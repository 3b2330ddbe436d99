import { copyText } from "../shared/clipboard.ts";

/** Every example can be taken with one click, as it stands on the page: with the reader's own key where that was filled in. */
const shownMs = 1_500;

export function addCopyButtons(): void {
  for (const example of document.querySelectorAll<HTMLElement>("pre.code")) {
    const frame = document.createElement("div");
    frame.className = "example";
    const name = document.createElement("span");
    name.className = "language";
    name.textContent = example.dataset["language"] ?? "";
    example.replaceWith(frame);
    frame.append(name, copyButton(example), example);
  }
}

function copyButton(example: HTMLElement): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    button.textContent = (await copyText(example.textContent)) ? "Copied" : "Select it and copy";
    window.setTimeout(() => {
      button.textContent = "Copy";
    }, shownMs);
  });
  return button;
}
