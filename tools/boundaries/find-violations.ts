import { cruise, type IViolation } from "dependency-cruiser";
import { folderCircles } from "./folder-circles.ts";
import { boundaryRules } from "./rules.ts";

export interface Findings {
  readonly modules: number;
  readonly violations: readonly string[];
}

/** Walks the imports of a tree laid out like this repository and returns what the table forbids. */
export async function findViolations(baseDir: string, folders: readonly string[]): Promise<Findings> {
  const rules = boundaryRules();
  const { output } = await cruise([...folders], {
    baseDir,
    validate: true,
    ruleSet: { forbidden: rules },
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    // What was built of web/ is no source.
    exclude: { path: "^web/dist/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json"],
    },
  });
  if (typeof output === "string") throw new Error("dependency-cruiser returned text instead of findings.");
  const forbidden = output.summary.violations.map((violation) => {
    const reason = rules.find((rule) => rule.name === violation.rule.name)?.comment ?? "";
    return `${pathOf(violation)}\n    ${violation.rule.name}: ${reason}`;
  });
  const imports = output.modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
  );
  const circles = folderCircles(imports).map((path) => `${path}\n    no-folder-circles: ${circleReason}`);
  return { modules: output.summary.totalCruised, violations: [...forbidden, ...circles] };
}

const circleReason = "The two folders lead back to each other; what both need belongs below them.";

function pathOf(violation: IViolation): string {
  const circle = violation.cycle?.map((step) => step.name).join(" → ");
  return `${violation.from} → ${circle ?? violation.to}`;
}
