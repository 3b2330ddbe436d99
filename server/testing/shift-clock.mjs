/**
 * Goes into a test's server (`node --import`) and sets its clock off by as many milliseconds as the file says that
 * `JARA_TEST_CLOCK` names. On SIGUSR2 the file is read again: the clock jumps. Time that is measured runs on, as it
 * does when somebody sets a machine's clock.
 */
import { readFileSync } from "node:fs";

const RealDate = Date;
let aheadMs = 0;
const read = () => {
  aheadMs = Number(readFileSync(process.env.JARA_TEST_CLOCK ?? "", "utf8"));
};

/** Stands in for Date: what is constructed from nothing, and `now`, are shifted. */
const shiftedDate = new Proxy(RealDate, {
  construct: (target, given, as) =>
    Reflect.construct(target, given.length === 0 ? [target.now() + aheadMs] : given, as === shiftedDate ? target : as),
  get: (target, name) => (name === "now" ? () => target.now() + aheadMs : Reflect.get(target, name)),
});

if (/main\.[jt]s$/.test(process.argv[1] ?? "")) {
  read();
  globalThis.Date = shiftedDate;
  process.on("SIGUSR2", read);
}
