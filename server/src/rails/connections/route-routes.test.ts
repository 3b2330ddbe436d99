import { expect, test } from "vitest";
import { createLiveApp } from "../../../testing/providers/live-app.ts";
import { startVtpassTwin, vtpassKeys } from "../../../testing/providers/vtpass-twin.ts";

const app = await createLiveApp();
const { operate, connect, liveEnvironmentId } = app;
const twin = app.keep(await startVtpassTwin());
const wanted = { provider: "vtpass", name: "VTpass", mode: "live", credentials: vtpassKeys, baseUrl: twin.baseUrl };
const live = await connect(wanted);
const second = await connect({ ...wanted, name: "second" });
const test_ = await connect({ ...wanted, name: "test mode", mode: "test" });
const sandbox = app.merchant.environment.id;
const nobody = "01998a4e-7b5a-7cde-8f01-23456789abcd";
const put = (path: string, body: unknown) => operate("PUT", `/operator/${path}`, body);

test("a route is set for all live environments, replaced, and taken away", async () => {
  const body = { connections: [live, second], categories: { airtime: [second] } };
  const set = await put("routes/biller", body);
  expect(set.statusCode, set.body).toBe(200);
  expect(set.json().data).toEqual({ environmentId: null, port: "biller", ...body });
  expect((await operate("GET", "/operator/routes")).json().data).toEqual([set.json().data]);
  await put("routes/biller", { connections: [second.toUpperCase()] });
  const [replaced] = (await operate("GET", "/operator/routes")).json().data;
  expect(replaced).toEqual({ environmentId: null, port: "biller", connections: [second], categories: {} });
  await put("routes/biller", { connections: [] });
  expect((await operate("GET", "/operator/routes")).json().data).toEqual([]);
  const [entry] = (await operate("GET", "/operator/audit?limit=1")).json().data;
  expect(entry).toMatchObject({ action: "route.set", subjectId: "biller" });
});

test("one environment can have a route of its own", async () => {
  const set = await put(`environments/${liveEnvironmentId}/routes/biller`, { connections: [live] });
  expect(set.json().data).toMatchObject({ environmentId: liveEnvironmentId, connections: [live] });
  await put(`environments/${liveEnvironmentId}/routes/biller`, { connections: [] });
});

test.each([
  [
    "a live connection for a sandbox",
    () => [`environments/${sandbox}/routes/biller`, [live]],
    "connection_mode_mismatch",
  ],
  [
    "a test connection for a live environment",
    () => [`environments/${liveEnvironmentId}/routes/biller`, [test_]],
    "connection_mode_mismatch",
  ],
  ["a test connection for all live environments", () => ["routes/biller", [test_]], "connection_mode_mismatch"],
  ["a biller as a bank", () => ["routes/bank", [live]], "connection_port_refused"],
  ["a connection of nobody", () => ["routes/biller", [nobody]], "connection_not_found"],
  ["something that is no id", () => ["routes/biller", ["paystack"]], "connection_not_found"],
  [
    "a biller as the bank of one environment",
    () => [`environments/${liveEnvironmentId}/routes/bank`, [live]],
    "connection_port_refused",
  ],
  [
    "a connection of nobody for one environment",
    () => [`environments/${liveEnvironmentId}/routes/biller`, [nobody]],
    "connection_not_found",
  ],
  ["an environment of nobody", () => [`environments/${nobody}/routes/biller`, [live]], "environment_not_found"],
] as const)("%s is refused and changes nothing", async (_, asked, code) => {
  const [path, connections] = asked() as [string, string[]];
  const reply = await put(path, { connections });
  expect(reply.json().code).toBe(code);
  expect((await operate("GET", "/operator/routes")).json().data).toEqual([]);
});

test.each([
  ["routes/ship", { connections: [] }, "port"],
  ["routes/biller", {}, "connections"],
  ["routes/biller", { connections: "all" }, "connections"],
  ["routes/bank", { connections: [], categories: { airtime: [] } }, "categories"],
])("PUT %s %j names the field", async (path, body, field) => {
  const reply = await put(path, body);
  expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
  expect(reply.json().errors[0].field).toBe(field);
});

test("a sandbox with a provider's test mode keeps real time, in either order", async () => {
  const path = `environments/${sandbox}/routes/biller`;
  const clock = (mode: string) => app.call("PUT", "/sandbox/clock", { body: { mode } });
  expect((await put(path, { connections: [test_] })).statusCode).toBe(200);
  const frozen = await clock("frozen");
  expect([frozen.statusCode, frozen.json().code]).toEqual([409, "invalid_state"]);
  await put(path, { connections: [] });
  expect((await clock("frozen")).statusCode).toBe(200);
  const routed = await put(path, { connections: [test_] });
  expect([routed.statusCode, routed.json().code]).toEqual([409, "invalid_state"]);
  expect((await clock("running")).statusCode).toBe(200);
});
