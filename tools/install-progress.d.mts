export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}
export function showInstall(root: string, withTools: boolean, screen?: Screen): () => void;
export function describeInstall(there: number, wanted: number, seconds: number, columns?: number): string;
export function wantedPlaces(root: string, withTools: boolean): string[];
