/** A port as part of an address. A wrong one is told as a wrong field, not as an address that does not exist. */
import { Type } from "typebox";
import { commonProblem } from "../platform/problem.ts";

export function portInPath<P extends string>(ports: readonly P[]) {
  const description = `One of ${ports.join(", ")}.`;
  return {
    schema: Type.String({ description, examples: ["bank"] }),
    read(word: string): P {
      const port = ports.find((one) => one === word);
      if (port !== undefined) return port;
      const message = `must be one of ${ports.join(", ")}`;
      throw commonProblem("validation_failed", { errors: [{ field: "port", message }] });
    },
  };
}
