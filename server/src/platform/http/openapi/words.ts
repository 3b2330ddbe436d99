/** How names are written in the document. */

/** reference_conflict, Idempotency-Key and page read ReferenceConflict, IdempotencyKey and Page. */
export function pascal(words: string): string {
  return words
    .split(/[^A-Za-z0-9]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

/** loan_id reads loanId. */
export function lowerCamel(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
