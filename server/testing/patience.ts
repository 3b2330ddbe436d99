/**
 * How long a test waits for what another process or connection does. Not a measure of anything: it ends what hangs, and
 * it is long because a machine that is busy with other work may stand still for seconds.
 */
export const patienceMs = 45_000;
