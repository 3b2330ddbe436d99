import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { draw, hasButton, press, settle, shown } from "../../testing/draw.tsx";
import { JsonBlock } from "./code-block.tsx";
import { CopyButton } from "./copy-button.tsx";

afterEach(() => vi.restoreAllMocks());

test("says that it has copied, and a moment later what it does again", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const written = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await draw(<CopyButton text="018f-id" label="Copy the id" />);
  await press("Copy the id");
  expect(written).toHaveBeenCalledWith("018f-id");
  expect(hasButton("Copied")).toBe(true);
  await settle(() => vi.advanceTimersByTime(1_500));
  expect(hasButton("Copy the id")).toBe(true);
});

test("over plain http there is no clipboard, and the button says what to do instead", async () => {
  vi.stubGlobal("navigator", { ...navigator, clipboard: undefined });
  onTestFinished(() => void vi.unstubAllGlobals());
  await draw(<CopyButton text="x" label="Copy" bare />);
  await press("Copy");
  expect(shown()).toBe("Select it and copy");
  expect(document.querySelector(".sr-only")).toBeNull();
});

test("a record is copied as it is shown: without what identifies a person", async () => {
  const written = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await draw(<JsonBlock label="the record" value={{ id: "1", bvn: "22123456789", tags: ["<b>"] }} />);
  await press("Copy the record");
  expect(written.mock.lastCall?.[0]).toContain("••••6789");
  expect(written.mock.lastCall?.[0]).not.toContain("22123456789");
  expect(document.querySelector("pre")?.textContent).toContain('"<b>"');
});
