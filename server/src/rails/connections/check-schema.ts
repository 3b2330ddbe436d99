import { Type } from "typebox";
import { OneOf } from "../../platform/http/wire.ts";

export const checkData = Type.Object({
  name: Type.String({ examples: ["key mode"] }),
  ok: Type.Boolean({ description: "False when it stands in the way of using the connection." }),
  result: OneOf(["ok", "warning", "failed"]),
  message: Type.String({ examples: ["The key is a live key."] }),
});
