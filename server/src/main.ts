/** The process: reads the environment, starts the server, and is the only place that knows signals and exit codes. */

import { createLogger, type Logger } from "./platform/logger.ts";
import { logFile, openHome } from "./platform/secrets/home.ts";
import { type Config, ConfigError, readConfig } from "./start/config.ts";
import { type RunningServer, startServer } from "./start/start-server.ts";

// One Ctrl-C arrives up to three times: from the terminal, from npm and from the bootstrap.
const samePressMs = 400;

await main();

async function main(): Promise<void> {
  const config = readConfigOrEnd();
  const log = createLogOrEnd(config);
  const end = listenForTheEnd(config, log);
  const server = await startOrEnd(config, log, end);
  // A signal that came during the start waits until here, where everything that was started can be stopped.
  if (!end.asked) greet(server, config, log);
  const exitCode = await end.reason;
  await server.stop();
  process.exit(exitCode);
}

function createLogOrEnd({ logLevel: level, output, home }: Config): Logger {
  if (output === "json") return createLogger({ level });
  try {
    openHome(home);
    return createLogger({ level, file: logFile(home) });
  } catch (error) {
    return endWith(error);
  }
}

function readConfigOrEnd(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

async function startOrEnd(config: Config, log: Logger, end: End): Promise<RunningServer> {
  try {
    return await startServer(config, log, { whenOpen: end.setAbandon });
  } catch (error) {
    log.debug({ err: error }, "the start failed");
    // A program that the start waited for blocks signals from being heard: they are heard now.
    await new Promise((resolve) => setImmediate(resolve));
    // Ctrl-C reaches what the start was running too. That it failed is then no news.
    if (end.asked) process.exit(await end.reason);
    return endWith(error);
  }
}

function endWith(error: unknown): never {
  console.error(`\nJara could not start. ${error instanceof Error ? explain(error) : String(error)}\n`);
  process.exit(1);
}

/** The chain of causes in a few lines; the stack is in the log at level debug. */
function explain(error: Error): string {
  const { cause } = error;
  const inner =
    cause instanceof Error && !error.message.includes(cause.message) ? `\n  Because: ${explain(cause)}` : "";
  return `${error.message}${inner}`;
}

interface End {
  asked: boolean;
  /** Resolves with the exit code once the process is asked to end. */
  readonly reason: Promise<number>;
  /** What stops at once whatever would outlive this process. */
  setAbandon(abandon: () => void): void;
}

function listenForTheEnd(config: Config, log: Logger): End {
  const { promise: reason, resolve } = Promise.withResolvers<number>();
  let abandon: (() => void) | undefined;
  let impatient = false;
  const endAtOnce = (): void => {
    impatient = true;
    // While PostgreSQL is coming up there is nothing to stop it by; it is stopped as soon as there is.
    if (abandon === undefined) return;
    abandon();
    process.exit(1);
  };
  const setAbandon = (known: () => void): void => {
    abandon = known;
    if (impatient) endAtOnce();
  };
  const end: End = { asked: false, reason, setAbandon };
  let askedAt = 0;
  const ask = (exitCode: number): void => {
    if (end.asked) return;
    end.asked = true;
    askedAt = performance.now();
    resolve(exitCode);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (end.asked && performance.now() - askedAt > samePressMs) endAtOnce();
      if (end.asked) return;
      log.info({ signal }, "stopping: requests in flight may finish");
      if (config.output === "friendly") console.log("\n  Stopping. Press Ctrl-C again to stop at once.");
      ask(0);
    });
  }
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "a bug: the process stops");
    ask(1);
  });
  return end;
}

function greet(server: RunningServer, config: Config, log: Logger): void {
  log.info({ role: config.role, baseUrl: server.baseUrl, database: server.place }, "ready");
  if (config.output === "json") return;
  if (config.role === "worker") {
    console.log(`\n  Jara is ready to work.\n\n    Log          ${logFile(config.home)}\n`);
    return;
  }
  const key = server.secretKey ?? "(issue one with the operator token)";
  console.log(`
  Jara is ready.

    Base URL     ${server.baseUrl}
    Secret key   ${key}
    API docs     ${server.docsUrl}
    Console      ${server.signInLink ?? `${server.baseUrl}/console`}
    Demo shop    ${server.shopUrl ?? "(closed: there is no demo merchant)"}
    Data         ${server.place}
    Log          ${logFile(config.home)}

  The same is in ${config.home}/dev.json. Stop with Ctrl-C.
`);
}
