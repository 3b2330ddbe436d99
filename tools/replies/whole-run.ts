/**
 * Whether the replies that lie there were written down by a run of every test but the campaigns'. A part of these tests
 * sees a part of the replies, and to list the others as seen by nobody would be wrong.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Reporter, Vitest } from "vitest/node";

export const repliesFolder = join(import.meta.dirname, "..", "..", "test-results", "replies");

/** Lies beside the replies; who starts a run takes all of them away. */
const markIn = (folder: string): string => join(folder, "whole-run");

export function isWholeRun(folder: string): boolean {
  return existsSync(markIn(folder));
}

export interface Extent {
  /** Names of projects, or patterns for them, that somebody chose. */
  readonly projects: readonly string[];
  readonly testName: RegExp | undefined;
  readonly files: number;
  /** How many files the chosen projects have. */
  readonly ofFiles: number;
}

export function isEverything({ projects, testName, files, ofFiles }: Extent): boolean {
  const isEveryProject = projects.length === 0 || projects.every((name) => name === "*" || name === "!campaign");
  return isEveryProject && testName === undefined && files >= ofFiles;
}

/** Leaves the mark at the end of a run that left out no file but those of campaigns, and no test by its name. */
export function wholeRunReporter(folder = repliesFolder): Reporter {
  let vitest: Vitest;
  return {
    onInit: (instance) => {
      vitest = instance;
    },
    async onTestRunEnd(modules) {
      const { project: projects, testNamePattern: testName } = vitest.config;
      const ofFiles = (await vitest.globTestSpecifications()).length;
      if (!isEverything({ projects, testName, files: modules.length, ofFiles })) return;
      mkdirSync(dirname(markIn(folder)), { recursive: true });
      writeFileSync(markIn(folder), "");
    },
  };
}
