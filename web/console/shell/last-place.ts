/** Where this browser was last, so that it opens there again. */
const store = "jara-console-environment";

export function rememberPlace(environmentId: string): void {
  localStorage.setItem(store, environmentId);
}

export function lastPlace(): string | null {
  return localStorage.getItem(store);
}
