import { TextField } from "../parts/fields.tsx";

/** What an authenticator app shows. A recovery code is taken as well. */
export function CodeField() {
  return (
    <TextField
      label="Code from your authenticator app"
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      minLength={6}
      maxLength={40}
      hint="Six digits. Without your phone, one of your recovery codes."
      required
    />
  );
}
