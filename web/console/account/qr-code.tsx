import { QRCodeSVG } from "qrcode.react";

/** Dark on white in both schemes, with a margin: cameras want it so. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  return <QRCodeSVG value={text} size={200} marginSize={4} title={label} role="img" className="rounded-lg" />;
}
