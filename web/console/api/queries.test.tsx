/** Reading and writing from a page, and looking again when something has happened. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { shownText } from "../../shared/shown-text.ts";
import { draw, press, settle, shown } from "../../testing/draw.tsx";
import { refuse, replyWith } from "../../testing/replies.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { RecordView } from "../parts/record-view.tsx";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { environmentDoor } from "./client.ts";
import { useLiveEvents } from "./live.ts";
import { DeviceRefusal, wordsForDevice } from "./passkeys.ts";
import type { Room } from "./place.ts";
import { useEnvironment, useRoom } from "./place.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("after something was done, everything in the room is read again", async () => {
  let balance = 100;
  const asked = replyWith({
    [`GET ${door}/wallets/balance`]: () => ({ available: balance }),
    [`POST ${door}/pay`]: () => {
      balance = 60;
      return {};
    },
  });
  await drawInConsole(
    <>
      <RecordView<{ available: number }> path="/wallets/balance">
        {({ available }) => <p>{available} left</p>}
      </RecordView>
      <ActionButton label="Pay" about="Pays." confirm="Do it" request={() => ({ path: "/pay" })} />
    </>,
  );
  expect(shown()).toContain("100 left");
  await press("Pay");
  await press("Do it");
  await expect.poll(shown).toContain("60 left");
  expect(asked.filter(({ method }) => method === "GET")).toHaveLength(2);
});

test("what was refused changes nothing that is shown, and asks for nothing again", async () => {
  const asked = replyWith({
    [`GET ${door}/wallets/balance`]: () => ({ available: 100 }),
    [`POST ${door}/pay`]: () => refuse(422, "insufficient_funds", { message: "Too little." }),
  });
  await drawInConsole(
    <>
      <RecordView<{ available: number }> path="/wallets/balance">
        {({ available }) => <p>{available} left</p>}
      </RecordView>
      <ActionButton label="Pay" about="Pays." confirm="Do it" request={() => ({ path: "/pay" })} />
    </>,
  );
  await press("Pay");
  await press("Do it");
  await expect.poll(shown).toContain("Too little.");
  expect(asked.filter(({ method }) => method === "GET")).toHaveLength(1);
});

test("a refusal that is no mistake can be shown in other words; all others are told as usual", async () => {
  replyWith({ [`GET ${door}/thing`]: () => refuse(410, "gone") });
  const words = ({ code }: { readonly code: string }) => (code === "gone" ? <p>It is in the archive.</p> : undefined);
  await drawInConsole(
    <RecordView path="/thing" refused={words}>
      {() => null}
    </RecordView>,
  );
  expect(shown()).toBe("It is in the archive.");
});

/** A stream that a test speaks through, in place of the browser's. */
function streams() {
  const open: { url: string; onmessage?: () => void; isClosed: boolean }[] = [];
  vi.stubGlobal(
    "EventSource",
    vi.fn(function (this: object, url: string) {
      const stream = { url, isClosed: false };
      open.push(stream);
      return Object.assign(stream, {
        close: () => {
          stream.isClosed = true;
        },
      });
    }),
  );
  return open;
}

function Watcher({ room }: { readonly room: Room | null }) {
  useLiveEvents(room);
  return null;
}

const room: Room = { door: environmentDoor("env-1"), key: "env-1", at: (path) => path, place: null };

test("events of the environment make its pages look again, and nobody else's", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const open = streams();
  const queries = new QueryClient();
  const again = vi.spyOn(queries, "invalidateQueries").mockResolvedValue();
  const page = (shownRoom: Room | null) => (
    <QueryClientProvider client={queries}>
      <Watcher room={shownRoom} />
    </QueryClientProvider>
  );
  const { redraw } = await draw(page(room));
  expect(open.map(({ url }) => url)).toEqual([`${door}/events/stream`]);
  for (let event = 0; event < 20; event += 1) open[0]?.onmessage?.();
  await settle(() => vi.advanceTimersByTime(400));
  expect(again.mock.calls).toEqual([[{ queryKey: ["env-1"] }]]);
  await redraw(page(null));
  expect(open[0]?.isClosed).toBe(true);
});

test.each([
  ["any room", useRoom],
  ["an environment", useEnvironment],
])("a page that needs %s and stands in none is a mistake that says so", (_case, use) => {
  function Page() {
    use();
    return null;
  }
  expect(() => shownText(<Page />)).toThrow("this page stands in no room");
});

test.each([
  ["InvalidStateError", "This device has a passkey of yours already."],
  ["SecurityError", "Passkeys work at the console's own address only, and not at a number."],
  ["NotAllowedError", "No passkey was used. Try again, and confirm on your device that it is you."],
])("a device that says %s is told as: %s", (name, words) => {
  const refusal = new DeviceRefusal("no");
  refusal.name = name;
  expect(wordsForDevice(refusal)).toBe(words);
});
