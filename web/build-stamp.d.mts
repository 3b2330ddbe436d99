export const builtPages: string;
export function sourceStamp(): string;
export function builtStamp(): string | undefined;
