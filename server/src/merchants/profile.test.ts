import { describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";

const { app, call, merchant, otherMerchant } = await createTestApp();

const path = "/loans/bnpl/profile";
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const png = `data:image/png;base64,${pixel}`;

async function change(body: Record<string, unknown>, key = merchant.secretKey) {
  return call("PATCH", path, { body, key });
}

const read = async (key = merchant.secretKey) => (await call("GET", path, { key })).json().data;

describe("a merchant's profile", () => {
  test("begins with the merchant's own name and no logo", async () => {
    expect(await read(otherMerchant.secretKey)).toEqual({ display_name: "Okada Express", logo_url: null });
  });

  test("takes a name and a logo, each without the other", async () => {
    expect((await change({ display_name: "  Balogun Home " })).json().data).toEqual({
      display_name: "Balogun Home",
      logo_url: null,
    });
    const both = (await change({ logo: png })).json().data;
    expect(both).toEqual({
      display_name: "Balogun Home",
      logo_url: expect.stringContaining(`http://localhost:4000/merchant-logos/${merchant.environment.id}/`),
    });
    expect(await read()).toEqual(both);
    expect((await change({ logo: null, display_name: null })).json().data).toEqual({
      display_name: "Mama Put Foods",
      logo_url: null,
    });
  });

  test("is one environment's: another merchant keeps its own", async () => {
    await change({ display_name: "Balogun Home", logo: png });
    expect(await read(otherMerchant.secretKey)).toEqual({ display_name: "Okada Express", logo_url: null });
  });

  test.each([
    ["a name of nothing", { display_name: "   " }, "display_name"],
    ["a name with a line break", { display_name: "Balogun\nHome" }, "display_name"],
    ["a name of 61 letters", { display_name: "a".repeat(61) }, "display_name"],
    ["a logo elsewhere", { logo: "https://shop.example.com/logo.png" }, "logo"],
    ["a drawing, which can hold script", { logo: `data:image/svg+xml;base64,${btoa("<svg/>")}` }, "logo"],
    ["a drawing that calls itself a picture", { logo: `data:image/png;base64,${btoa("<svg onload=1/>")}` }, "logo"],
    ["a picture of more than 64 KiB", { logo: `${png.slice(0, 60)}${"A".repeat(90_000)}` }, "logo"],
    ["a number", { logo: 7 }, "logo"],
  ])("refuses %s", async (_, body, field) => {
    const reply = await change(body);
    expect(reply.statusCode).toBe(422);
    expect(reply.json().errors.map((error: { field: string }) => error.field)).toEqual([field]);
  });
});

describe("the logo's address", () => {
  const at = async () => new URL((await change({ logo: png })).json().data.logo_url).pathname;

  test("gives the picture, as a picture and nothing else", async () => {
    const reply = await app.inject(await at());
    expect([reply.statusCode, reply.headers["content-type"]]).toEqual([200, "image/png"]);
    expect(reply.rawPayload.toString("base64")).toBe(pixel);
    expect(reply.headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    });
  });

  test("opens nothing of another environment, of another picture or of nobody", async () => {
    const [, , own = "", print = ""] = (await at()).split("/");
    const others = [
      `/merchant-logos/${otherMerchant.environment.id}/${print}`,
      `/merchant-logos/${own}/0000`,
      `/merchant-logos/01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11/${print}`,
      `/merchant-logos/nonsense/${print}`,
    ];
    for (const url of others) expect((await app.inject(url)).statusCode, url).toBe(404);
  });
});
