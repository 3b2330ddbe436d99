const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What is not a UUID is nobody's id, and PostgreSQL need not be asked. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}
