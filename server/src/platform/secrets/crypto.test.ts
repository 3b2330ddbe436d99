import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSealer, generateMasterKey, parseMasterKeys, SealError, sealedKeyVersion } from "./crypto.ts";

const first = generateMasterKey(1);
const second = generateMasterKey(2);
const sealer = createSealer(parseMasterKeys(first));
const rotating = createSealer(parseMasterKeys(`${second},${first}`));
const rotated = createSealer(parseMasterKeys(second));

describe("sealing", () => {
  test("what is sealed opens again in its own context", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (plain, context) => {
        expect(sealer.open(sealer.seal(plain, context), context).toString("utf8")).toBe(
          Buffer.from(plain, "utf8").toString("utf8"),
        );
      }),
    );
  });

  test("bytes stay bytes", () => {
    const plain = randomBytes(1000);
    expect(sealer.open(sealer.seal(plain, "c"), "c").equals(plain)).toBe(true);
  });

  test("the same content never gives the same bytes twice and is not visible in them", () => {
    const one = sealer.seal("22212345678", "bvn/1");
    expect(one.equals(sealer.seal("22212345678", "bvn/1"))).toBe(false);
    expect(one.includes("22212345678")).toBe(false);
  });

  test("another record's bytes do not open", () => {
    const sealed = sealer.seal("22212345678", "bvn/1");
    expect(() => sealer.open(sealed, "bvn/2")).toThrow(SealError);
  });

  test("no single changed byte goes unnoticed", () => {
    const sealed = sealer.seal("22212345678", "bvn/1");
    for (let place = 0; place < sealed.length; place += 1) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(place) ^ 1, place);
      expect(() => sealer.open(changed, "bvn/1"), `byte ${place}`).toThrow(SealError);
    }
  });

  test("shortened and foreign bytes are refused", () => {
    const sealed = sealer.seal("22212345678", "bvn/1");
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => sealer.open(sealed.subarray(0, length), "bvn/1"), `${length} bytes`).toThrow(SealError);
    }
    expect(() => sealer.open(Buffer.from("{}"), "bvn/1")).toThrow("not sealed by this program");
  });
});

describe("rotation", () => {
  test("the newest key seals and the older one still opens", () => {
    const old = sealer.seal("secret", "c");
    expect(rotating.open(old, "c").toString()).toBe("secret");
    expect(sealedKeyVersion(rotating.seal("secret", "c"))).toBe(2);
    expect(rotating.keyVersion).toBe(2);
  });

  test("resealed bytes no longer need the old key", () => {
    const resealed = rotating.reseal(sealer.seal("secret", "c"), "c");
    expect(sealedKeyVersion(resealed)).toBe(2);
    expect(rotated.open(resealed, "c").toString()).toBe("secret");
  });

  test("a missing key is named by its version", () => {
    expect(() => rotated.open(sealer.seal("secret", "c"), "c")).toThrow("master key v1");
  });

  test("a search finds the indexes of both keys", () => {
    const candidates = rotating.blindIndexes("22212345678", "bvn");
    expect(candidates.map((bytes) => bytes.toString("hex"))).toEqual([
      rotated.blindIndex("22212345678", "bvn").toString("hex"),
      sealer.blindIndex("22212345678", "bvn").toString("hex"),
    ]);
  });
});

describe("the blind index", () => {
  const index = (value: string, purpose: string) => sealer.blindIndex(value, purpose).toString("hex");

  test("finds an equal value again and tells values and purposes apart", () => {
    expect(index("22212345678", "bvn")).toBe(index("22212345678", "bvn"));
    expect(index("22212345678", "bvn")).not.toBe(index("22212345679", "bvn"));
    expect(index("22212345678", "bvn")).not.toBe(index("22212345678", "nin"));
    expect(index("b", "a")).not.toBe(index("ab", ""));
    expect(sealer.blindIndex("22212345678", "bvn")).toHaveLength(32);
  });

  test("another master key gives another index", () => {
    expect(sealer.blindIndex("1", "bvn").equals(rotated.blindIndex("1", "bvn"))).toBe(false);
  });
});

describe("JARA_MASTER_KEY", () => {
  const short = `v1:${randomBytes(31).toString("base64")}`;
  test.each([
    ["", "entry 1 is not of the form"],
    ["secret", "entry 1 is not of the form"],
    [`${first},`, "entry 2 is not of the form"],
    [first.replace("v1:", "v0:"), "entry 1 is not of the form"],
    [first.replace("v1:", "v65536:"), "above v65535"],
    [first.replace("v1:", ""), "entry 1 is not of the form"],
    [short, "has 31 bytes; it must have 32"],
    [`${first},${generateMasterKey(1)}`, "v1 twice"],
  ])("a bad value is refused: %s", (text, reason) => {
    expect(() => parseMasterKeys(text)).toThrow(reason);
  });

  test("an error never repeats the key", () => {
    const message = messageOf(() => parseMasterKeys("v1:c2VjcmV0LXNlY3JldA=="));
    expect(message).toContain("has 13 bytes");
    expect(message).not.toContain("c2VjcmV0");
  });

  test("blanks around entries are allowed", () => {
    expect(parseMasterKeys(` ${second} , ${first} `).map((key) => key.version)).toEqual([2, 1]);
  });
});

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
  return "";
}
