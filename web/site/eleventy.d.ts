/** What we use of Eleventy, which has no types of its own. */
declare module "@11ty/eleventy" {
  interface Settings {
    setUseGitIgnore(use: boolean): void;
    setLibrary(engine: "md", library: object): void;
    addGlobalData(name: string, value: unknown): void;
    addFilter(name: string, filter: (value: never) => unknown): void;
    addTemplate(path: string, text: string, data?: object): void;
  }

  interface Options {
    readonly quietMode: boolean;
    readonly config: (settings: Settings) => object;
  }

  export const Eleventy: new (
    input: string,
    output: string,
    options: Options,
  ) => {
    disableLogger(): void;
    write(): Promise<void>;
  };
}
