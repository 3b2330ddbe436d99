import { afterEach, expect, test, vi } from "vitest";
import { button, draw, field, hasButton, press, pressKey, settle, shown, type } from "../../testing/draw.tsx";
import { brokenLine, held, refuse, replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { ActionButton, SecretOnce } from "./action-button.tsx";
import { TextField } from "./fields.tsx";

afterEach(() => vi.restoreAllMocks());

const rename = (
  <ActionButton
    label="Rename"
    confirm="Give the name"
    about="Gives it another name."
    fields={<TextField label="Name" name="name" />}
    request={(form, raw) => ({ path: "/things", body: { name: form("name"), raw: raw("name"), none: form("none") } })}
  />
);
const dialog = () => document.querySelector("[role=dialog]");

test("opens a window that takes the focus, and Escape closes it and gives the focus back", async () => {
  await drawInConsole(rename);
  button("Rename").focus();
  await press("Rename");
  expect(dialog()?.contains(document.activeElement)).toBe(true);
  expect(shown()).toContain("Gives it another name.");
  await pressKey("Escape");
  expect(dialog()).toBeNull();
  await expect.poll(() => document.activeElement).toBe(button("Rename"));
});

test("sends fields trimmed, and raw as they were typed, then closes", async () => {
  const asked = replyWith({ [`POST ${door}/things`]: () => ({}) });
  await drawInConsole(rename);
  await press("Rename");
  await type("Name", "  Ada ");
  await press("Give the name");
  expect(asked.map(({ body }) => body)).toEqual([{ name: "Ada", raw: "  Ada ", none: "" }]);
  expect(dialog()).toBeNull();
});

test("while it is sent the button is off and says so", async () => {
  const { reply, give } = held();
  replyWith({ [`POST ${door}/things`]: () => reply });
  await drawInConsole(rename);
  await press("Rename");
  await press("Give the name");
  expect(button("One moment")).toHaveProperty("disabled", true);
  await settle(() => give({}));
  await expect.poll(() => dialog()).toBeNull();
});

test("after a broken line the same press goes out under the same key", async () => {
  let times = 0;
  const asked = replyWith({ [`POST ${door}/things`]: () => (times++ === 0 ? brokenLine() : {}) });
  await drawInConsole(rename);
  await press("Rename");
  await press("Give the name");
  await expect.poll(() => shown()).toContain("Nothing is lost.");
  await press("Give the name");
  const keys = asked.map(({ headers }) => headers["idempotency-key"]);
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]]);
});

test("what is corrected after a broken line keeps the key, so not both are done, and a person is told", async () => {
  let times = 0;
  const asked = replyWith({
    [`POST ${door}/things`]: () => (times++ === 0 ? brokenLine() : refuse(409, "idempotency_key_conflict")),
  });
  await drawInConsole(rename);
  await press("Rename");
  await type("Name", "Ada");
  await press("Give the name");
  await expect.poll(() => shown()).toContain("Nothing is lost.");
  await type("Name", "Adaeze");
  await press("Give the name");
  await expect.poll(() => shown()).toContain("Your first try was done.");
  expect(shown()).toContain("look, then begin again");
  expect(asked.map(({ body }) => body)).toMatchObject([{ name: "Ada" }, { name: "Adaeze" }]);
  expect(new Set(asked.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
});

test("a window that is opened again acts under a new key", async () => {
  const asked = replyWith({ [`POST ${door}/things`]: () => ({}) });
  await drawInConsole(rename);
  for (const _ of ["once", "twice"]) {
    await press("Rename");
    await press("Give the name");
  }
  expect(new Set(asked.map(({ headers }) => headers["idempotency-key"])).size).toBe(2);
});

test("a refusal stays in the window with its fields, and what was typed is kept", async () => {
  const errors = [{ field: "displayName", message: "is too long" }];
  replyWith({
    [`POST ${door}/things`]: () => refuse(422, "validation_failed", { message: "Check the name.", errors }),
  });
  await drawInConsole(rename);
  await press("Rename");
  await type("Name", "A".repeat(500));
  await press("Give the name");
  expect(document.querySelector("[role=alert]")?.textContent).toContain("Check the name.");
  expect(shown()).toContain("Display name: is too long");
  expect(field("Name").value).toHaveLength(500);
});

test("a result is shown in place of the form, and read out", async () => {
  replyWith({ [`POST ${door}/keys`]: () => ({ secret: "sk_1" }) });
  const show = ({ secret }: { secret: string }) => <p>Made {secret}</p>;
  await drawInConsole(
    <ActionButton label="Make" about="A key." request={() => ({ path: "/keys" })} result={show} look="danger" />,
  );
  await press("Make");
  await settle(() => document.querySelector<HTMLButtonElement>("[role=dialog] [type=submit]")?.click());
  expect(document.querySelector("[role=status]")?.textContent).toBe("Made sk_1");
  expect(hasButton("Cancel")).toBe(false);
});

test("a secret is hidden until it is copied", async () => {
  const written = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await draw(<SecretOnce secret="sk_live_1" what="the key" />);
  const input = document.querySelector("input");
  expect([input?.type, input?.value, input?.getAttribute("aria-label")]).toEqual(["password", "sk_live_1", "the key"]);
  await press("Copy");
  expect(written).toHaveBeenCalledWith("sk_live_1");
  expect(hasButton("Copied")).toBe(true);
  expect(input?.type).toBe("password");
});

test("where a browser lets nobody copy, the secret is shown: it comes only once", async () => {
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("not allowed"));
  await draw(<SecretOnce secret="sk_live_1" what="the key" />);
  await press("Copy");
  expect(document.querySelector("input")?.type).toBe("text");
  expect(document.querySelector("[role=alert]")?.textContent).toContain("copy it yourself");
});
