/** Every command that can be called, with words that are good enough to reach the server. */
import { createProgram } from "../../cli/src/program.ts";

type Command = ReturnType<typeof createProgram>;

export interface Leaf {
  readonly path: string;
  readonly words: readonly string[];
}

const id = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";
const payout = ["--bank", "058", "--account", "0123456789", "--amount", "2500"];
const phone = ["--phone", "08031234567"];
const person = [
  "--first-name",
  "Ada",
  "--last-name",
  "Obi",
  "--email",
  "a@example.com",
  "--bvn",
  "22123456789",
  ...phone,
];

/** Where arguments and options need more than an id. */
const samples: Readonly<Record<string, readonly string[]>> = {
  trigger: ["transfer.completed"],
  pay: [...payout, "--yes"],
  get: ["/wallets/balance"],
  post: ["/transfers"],
  "events resend": [id],
  "transfers create": payout,
  "bills airtime": ["--network", "MTN", ...phone, "--amount", "500"],
  "bills data": ["--network", "MTN", ...phone, "--plan", "mtn-230mb-1d"],
  "bills electricity": [
    "--provider",
    "ikeja-electric",
    "--meter",
    "45012345678",
    "--type",
    "prepaid",
    "--amount",
    "5000",
    ...phone,
  ],
  "bills tv": ["--provider", "dstv", "--card", "7012345678", "--package", "renew", ...phone],
  "bills betting": ["--provider", "bet9ja", "--customer", "1234567", "--amount", "1000"],
  "bills products": ["data"],
  "loans quote": ["--amount", "50000", "--tenure", "3"],
  "loans create": [...person, "--nin", "12345678901", "--tenure", "3", ...payout],
  "customers create": person,
  "wallets create": ["--name", "Ikeja"],
  "wallets move": ["--from", "main", "--to", id, "--amount", "500"],
  "wallets fund": ["1000"],
  "clock advance": ["1d"],
  "merchants create": ["--name", "Mama Put", "--email", "owner@example.com"],
  completion: ["bash"],
};

function createTree(): Command {
  return createProgram({
    env: {},
    directory: ".",
    stopped: new AbortController().signal,
    input: { read: async () => "" },
    screen: () => Promise.reject(new Error("nothing is run here")),
  });
}

export function leavesOf(command: Command = createTree(), names: readonly string[] = []): Leaf[] {
  if (command.commands.length > 0) {
    return command.commands.flatMap((one) => leavesOf(one, [...names, one.name()]));
  }
  const path = names.join(" ");
  const needed = command.registeredArguments.filter(({ required }) => required).map(() => id);
  return [{ path, words: [...names, ...(samples[path] ?? needed)] }];
}
