/** A contract is a table of cases that every rail of a port must pass. */
export interface ContractCase<Subject> {
  readonly name: string;
  run(subject: Subject): Promise<void>;
}

/** The cases that a subject does not pass. A planted mistake that breaks none would show that a contract proves nothing. */
export async function brokenCases<Subject>(
  cases: readonly ContractCase<Subject>[],
  open: () => Promise<Subject>,
): Promise<string[]> {
  const broken: string[] = [];
  for (const { name, run } of cases) {
    const passed = await run(await open()).then(
      () => true,
      () => false,
    );
    if (!passed) broken.push(name);
  }
  return broken;
}
