/** The process: reads the environment, starts the server, and is the only place that knows signals and exit codes. */
import { type Config, ConfigError, readConfig } from "./config.ts";
import { createLogger, type Logger } from "./platform/logger.ts";
import { type RunningServer, startServer } from "./start-server.ts";

// One Ctrl-C arrives up to three times: from the terminal, from npm and from the bootstrap.
const samePressMs = 1_000;

await main();

async function main(): Promise<void> {
  const config = readConfigOrEnd();
  const log = createLogger({ level: config.logLevel, pretty: !config.production && process.stdout.isTTY });
  const end = listenForTheEnd(log);
  const server = await startOrEnd(config, log);
  end.onSecond = server.abandon;
  // A signal that came during the start waits until here, where everything that was started can be stopped.
  if (!end.asked) greet(server, config, log);
  const exitCode = await end.reason;
  await server.stop();
  process.exit(exitCode);
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

async function startOrEnd(config: Config, log: Logger): Promise<RunningServer> {
  try {
    return await startServer(config, log);
  } catch (error) {
    log.debug({ err: error }, "the start failed");
    console.error(`\nJara could not start. ${error instanceof Error ? explain(error) : String(error)}\n`);
    process.exit(1);
  }
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
  onSecond: () => void;
}

function listenForTheEnd(log: Logger): End {
  const { promise: reason, resolve } = Promise.withResolvers<number>();
  const end: End = { asked: false, reason, onSecond: () => undefined };
  let askedAt = 0;
  const ask = (exitCode: number): void => {
    if (end.asked) return;
    end.asked = true;
    askedAt = performance.now();
    resolve(exitCode);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (end.asked && performance.now() - askedAt > samePressMs) {
        end.onSecond();
        process.exit(1);
      }
      if (!end.asked) log.info({ signal }, "stopping: requests in flight may finish");
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
  if (config.production || config.role === "worker") {
    log.info({ role: config.role, baseUrl: server.baseUrl, database: server.place }, "ready");
    return;
  }
  const key = server.secretKey ?? "(issue one with the operator token)";
  console.log(`
  Jara is ready.

    Base URL     ${server.baseUrl}
    Secret key   ${key}
    API docs     ${server.docsUrl}
    Demo shop    ${server.shopUrl ?? "(closed: there is no demo merchant)"}
    Data         ${server.place}

  The same is in ${config.home}/dev.json. Stop with Ctrl-C.
`);
}
