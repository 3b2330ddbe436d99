/** Debian's packages for tests. Nobody's own machine gets one because tests were run: only CI's, which is thrown away. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

const debiansApt = "/usr/bin/apt-get";

export function mayInstallPackages(variables: Readonly<Record<string, string | undefined>>): boolean {
  return variables["CI"] === "true" && process.getuid?.() === 0 && existsSync(debiansApt);
}

/** Installs them and takes nothing away for it. Returns why that did not work: a mirror may be out of reach. */
export function installPackages(names: readonly string[], apt = debiansApt): string | undefined {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const patience = ["-qq", "-o", "Acquire::http::Timeout=20", "-o", "DPkg::Lock::Timeout=60"];
  try {
    for (const words of [["update"], ["install", "--yes", "--no-remove", "--no-install-recommends", ...names]]) {
      execFileSync(apt, [...patience, ...words], { env, stdio: "inherit", timeout: 180_000 });
    }
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `Debian's ${names.join(", ")} could not be installed: ${reason}`;
  }
}
