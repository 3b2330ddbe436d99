/** A generated file: where it lies and how it is made. */
export interface Product {
  /** From the root of the repository. */
  readonly path: string;
  make(ownerUrl: string): Promise<string> | string;
}
