/** Whether a webhook carries the hexadecimal HMAC-SHA512 of its body, byte for byte as it arrived, under a key of ours. */
import { createHmac, timingSafeEqual } from "node:crypto";

export function isSigned(key: string, body: Buffer, signature: string | undefined): boolean {
  if (key === "" || signature === undefined || !/^[0-9a-f]{128}$/i.test(signature)) return false;
  return timingSafeEqual(createHmac("sha512", key).update(body).digest(), Buffer.from(signature, "hex"));
}
