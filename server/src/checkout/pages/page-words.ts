import { Problem } from "../../platform/problem.ts";

/**
 * The same rules refuse a merchant, who speaks the snake_case of the loans family, and a hosted page, which speaks
 * camelCase like everything else: what a refusal carries is turned into the page's words on the way out.
 */
export async function inPageWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Problem ? translated(error) : error;
  }
}

function translated(problem: Problem): Problem {
  const { code, status, message, errors, headers, data, cause } = problem;
  const words = Object.entries(data ?? {}).map(([name, value]) => [camelCase(name), value] as const);
  return new Problem(
    code,
    { status, cause: message },
    {
      errors,
      headers,
      cause,
      ...(data === null ? {} : { data: Object.fromEntries(words) }),
    },
  );
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
