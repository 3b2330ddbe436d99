/** Forms of variables that more than one file of settings has. */
import Type from "typebox";

export function oneOf<const Choices extends readonly string[]>(choices: Choices, standard: Choices[number]) {
  return Type.Unsafe<Choices[number]>(
    Type.Enum([...choices], { default: standard, expects: `one of ${choices.join(", ")}` }),
  );
}
