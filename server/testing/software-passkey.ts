/** A device that makes passkeys, without the device: what a browser would hand over, or what a thief would like it to. */
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

interface Ceremony {
  readonly origin?: string;
  readonly siteId?: string;
  /** Whether a fingerprint or PIN was given. */
  readonly isVerified?: boolean;
  readonly counter?: number;
  /** Whose passkey the device says it is; undefined keeps it silent. */
  readonly userHandle?: string | undefined;
}

interface AddOptions {
  readonly challenge: string;
  readonly user: { readonly id: string };
}

const home = { origin: "http://localhost:4000", siteId: "localhost", isVerified: true } as const;

export function softwarePasskey() {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const credentialId = randomBytes(32);
  const id = credentialId.toString("base64url");
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  let owner = "";
  let used = 0;
  const authenticatorData = ({ siteId, isVerified, counter }: Ceremony, attested = Buffer.alloc(0)) => {
    const { siteId: site, isVerified: verified } = {
      ...home,
      ...(siteId && { siteId }),
      isVerified: isVerified ?? true,
    };
    const flags = 0x01 | (verified ? 0x04 : 0) | (attested.length > 0 ? 0x40 : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter ?? used);
    return Buffer.concat([createHash("sha256").update(site).digest(), Buffer.from([flags]), count, attested]);
  };
  const clientData = (type: string, challenge: string, origin: string = home.origin) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  return {
    id,
    add({ challenge, user }: AddOptions, ceremony: Ceremony = {}) {
      owner = user.id;
      const length = Buffer.from([0, credentialId.length]);
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey(x, y)]);
      const attestationObject = noAttestation(authenticatorData(ceremony, attested));
      const clientDataJSON = clientData("webauthn.create", challenge, ceremony.origin);
      return credential({ clientDataJSON, attestationObject }, { transports: ["internal"] });
    },
    sign({ challenge }: { readonly challenge: string }, ceremony: Ceremony = {}) {
      used += 1;
      const data = authenticatorData(ceremony);
      const clientDataJSON = clientData("webauthn.get", challenge, ceremony.origin);
      const signed = Buffer.concat([data, createHash("sha256").update(clientDataJSON).digest()]);
      const userHandle = "userHandle" in ceremony ? ceremony.userHandle : owner;
      return credential(
        { clientDataJSON, authenticatorData: data, signature: sign("sha256", signed, privateKey) },
        userHandle === undefined ? {} : { userHandle },
      );
    },
  };

  function credential(bytes: Readonly<Record<string, Buffer>>, others: object) {
    const encoded = Object.entries(bytes).map(([name, value]) => [name, value.toString("base64url")]);
    return { id, rawId: id, type: "public-key", response: { ...Object.fromEntries(encoded), ...others } };
  }
}

/** CBOR by hand: { 1: 2, 3: -7, -1: 1, -2: x, -3: y }, an ES256 key. */
function coseKey(x: string, y: string): Buffer {
  const bytes = (value: string) => Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(value, "base64url")]);
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]);
  return Buffer.concat([head, bytes(x), Buffer.from([0x22]), bytes(y)]);
}

/** CBOR by hand: { fmt: "none", attStmt: {}, authData }. */
function noAttestation(authData: Buffer): Buffer {
  const text = (word: string) => Buffer.concat([Buffer.from([0x60 + word.length]), Buffer.from(word)]);
  const head = [Buffer.from([0xa3]), text("fmt"), text("none"), text("attStmt"), Buffer.from([0xa0]), text("authData")];
  return Buffer.concat([...head, Buffer.from([0x58, authData.length]), authData]);
}
