export const serverSource: string;
export const serverBundles: string;
export function serverStamp(): string;
export function serverProgram(stamp?: string): string;
