/** On a narrow screen the list of pages waits behind a button; without a script it is simply there. */
export function openMenu(): void {
  const button = document.querySelector<HTMLButtonElement>("button.menu");
  if (button === null) return;
  document.documentElement.classList.add("scripted");
  button.hidden = false;
  const show = (open: boolean) => {
    button.setAttribute("aria-expanded", String(open));
    document.documentElement.classList.toggle("menu-open", open);
  };
  button.addEventListener("click", () => show(button.getAttribute("aria-expanded") !== "true"));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || button.getAttribute("aria-expanded") !== "true") return;
    show(false);
    button.focus();
  });
}
