/** What a client may be told: addresses, keys, and what holds where nothing was said. */
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { JaraInputError } from "../errors.ts";
import { globalFetch } from "./fetching.ts";
import { checkSecretKey, settingsOf } from "./settings.ts";

const messageOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(JaraInputError);
    return (error as Error).message;
  }
  return "";
};

test("who says nothing gets the local server, half a minute and three retries", () => {
  expect(settingsOf({})).toEqual({
    baseUrl: "http://localhost:4000",
    timeoutMs: 30_000,
    retry: { maxRetries: 3, longestWaitMs: 10_000 },
    onReply: undefined,
    signal: undefined,
    fetch: globalFetch,
  });
});

test("nought is a number that somebody meant", () => {
  const { timeoutMs, retry } = settingsOf({ timeoutMs: 0, maxRetries: 0, longestWaitMs: 0 });
  expect([timeoutMs, retry.maxRetries, retry.longestWaitMs]).toEqual([0, 0, 0]);
});

test.each([
  ["https://api.example.com", "https://api.example.com"],
  ["https://api.example.com/", "https://api.example.com"],
  ["https://api.example.com///", "https://api.example.com"],
  ["https://api.example.com/jara/v1/", "https://api.example.com/jara/v1"],
  ["https://API.Example.com", "https://api.example.com"],
  ["https://api.example.com:443", "https://api.example.com"],
  ["http://127.0.0.1:4000", "http://127.0.0.1:4000"],
  ["http://[::1]:4000/", "http://[::1]:4000"],
  ["https://api.example.com/?x=1#y", "https://api.example.com"],
  [" https://api.example.com ", "https://api.example.com"],
])("the address %j is kept as %j", (given, kept) => {
  expect(settingsOf({ baseUrl: given }).baseUrl).toBe(kept);
});

test.each([
  ["", "is not an address"],
  ["api.example.com", "is not an address"],
  ["/jara", "is not an address"],
  ["https://", "is not an address"],
  ["localhost:4000", "begins with https:// or http://"],
  ["file:///etc/passwd", "begins with https:// or http://"],
  ["javascript:alert(1)", "begins with https:// or http://"],
  ["ws://api.example.com", "begins with https:// or http://"],
])("the address %j is refused: it %s", (baseUrl, says) => {
  expect(messageOf(() => settingsOf({ baseUrl }))).toContain(says);
});

test("a password in an address is never repeated", () => {
  const part = fc.stringMatching(/^[a-z0-9]{6,20}$/);
  fc.assert(
    fc.property(part, part, fc.constantFrom("https", "http"), (user, password, scheme) => {
      const message = messageOf(() => settingsOf({ baseUrl: `${scheme}://${user}:${password}@x.test` }));
      expect(message).toContain("user name or password");
      expect(message).not.toContain(password);
      expect(message).not.toContain(user);
    }),
  );
});

test("a base URL that was kept is kept the same again, and ends in no slash", () => {
  const path = fc.array(fc.stringMatching(/^[a-z0-9-]{1,8}$/), { maxLength: 3 });
  fc.assert(
    fc.property(fc.webUrl({ validSchemes: ["http", "https"] }), path, (url, parts) => {
      const once = settingsOf({ baseUrl: new URL(`/${parts.join("/")}`, url).href }).baseUrl;
      expect(once).not.toMatch(/\/$/);
      expect(settingsOf({ baseUrl: once }).baseUrl).toBe(once);
    }),
  );
});

test("a key of visible characters is taken, whatever they are", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[\x21-\x7e]{1,40}$/), (rest) => {
      expect(() => checkSecretKey(`sk_${rest}`, false)).not.toThrow();
    }),
  );
});

test("what is no key is refused, and not repeated", () => {
  const wrong = fc.oneof(
    fc.stringMatching(/^pk_[a-z0-9]{20}$/),
    fc.stringMatching(/^sk_test_[a-z0-9]{20} $/),
    fc.stringMatching(/^"sk_test_[a-z0-9]{20}"$/),
    fc.stringMatching(/^sk_test_[a-z0-9]{10}\n[a-z0-9]{10}$/),
  );
  fc.assert(
    fc.property(wrong, (key) => {
      const message = messageOf(() => checkSecretKey(key, false));
      expect(message).toContain("is not a secret key");
      expect(message).not.toContain(key.trim());
    }),
  );
});

test.each([undefined, null, 7, {}, ["sk_test_x"], "", "sk_"])("%j is no key", (key) => {
  expect(messageOf(() => checkSecretKey(key as string, false))).toContain("is not a secret key");
});

test.each([
  [{ document: {} }, false, true],
  [{ document: {} }, true, false],
  [{}, false, false],
  [undefined, false, false],
])("with the window %j and leave given: %s, a page is refused: %s", (window, may, refused) => {
  vi.stubGlobal("window", window);
  onTestFinished(() => void vi.unstubAllGlobals());
  const message = messageOf(() => checkSecretKey("sk_test_x", may));
  expect(message.includes("does not belong in a browser")).toBe(refused);
});
