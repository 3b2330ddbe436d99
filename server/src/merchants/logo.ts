/** A merchant's picture, of a kind that cannot do anything in a browser but be shown. */
export type LogoType = "image/png" | "image/jpeg" | "image/webp";

export interface Logo {
  readonly type: LogoType;
  readonly bytes: Buffer;
}
