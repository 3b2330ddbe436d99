/** The folder to which old events go: after a month events are there and nowhere else. */
import { access, constants, stat, statfs } from "node:fs/promises";
import { type Finding, good, missing } from "./finding.ts";

export interface ArchiveFacts {
  readonly folder: string;
  /** Undefined where there is none, or where it is not a folder. */
  readonly found?: {
    /** The rights of others than its owner, as in `chmod`. */
    readonly othersMay: number;
    readonly isWritable: boolean;
    /** Kept in memory: gone at the next start of the machine. */
    readonly isInMemory: boolean;
  };
}

/** As Linux numbers them: tmpfs and ramfs. */
const memoryKinds = [0x01021994, 0x858458f6];

export async function readArchiveFacts(folder: string): Promise<ArchiveFacts> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true) return { folder };
  const isWritable = await access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  const { type } = await statfs(folder);
  return { folder, found: { othersMay: found.mode & 0o077, isWritable, isInMemory: memoryKinds.includes(type) } };
}

export function judgeArchiveFolder({ folder, found }: ArchiveFacts): Finding {
  const topic = "old events";
  if (found === undefined) {
    return missing(topic, `There is no folder ${folder}.`, "Make the folder of JARA_ARCHIVE_FOLDER, with mode 700.");
  }
  if (!found.isWritable) {
    return missing(topic, `${folder} cannot be written.`, "Give it to the account that the workers run as.");
  }
  if (found.othersMay !== 0) {
    const says = `Others than its owner may open ${folder}: it has names, account numbers and amounts.`;
    return missing(topic, says, `chmod 700 ${folder}`);
  }
  if (found.isInMemory) {
    const says = `${folder} is kept in memory: at the next start of the machine its events would be gone.`;
    return missing(topic, says, "Name a folder on a disk in JARA_ARCHIVE_FOLDER.");
  }
  return good(topic, `go to ${folder}; copy it with every backup, because npm run backup does not have it`);
}
