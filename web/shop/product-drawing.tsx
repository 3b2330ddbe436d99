/** The shop's goods, drawn: three tones of one hue each, on a field of 160 by 120. */
import type { ReactNode } from "react";

const drawings: Readonly<Record<string, ReactNode>> = {
  fan: (
    <>
      <path className="tone-dark" d="M76 78h8v22h-8zM58 100h44v6H58z" />
      <circle className="tone-light" cx="80" cy="48" r="34" />
      <circle className="tone-line" cx="80" cy="48" r="34" />
      <circle className="tone-line" cx="80" cy="48" r="23" />
      <path className="tone-mid" d="M80 46c-4-14 4-24 14-22 4 9-2 19-14 22z" />
      <path className="tone-mid" d="M82 50c14-4 24 4 22 14-9 4-19-2-22-14z" />
      <path className="tone-mid" d="M78 50c4 14-4 24-14 22-4-9 2-19 14-22z" />
      <path className="tone-mid" d="M78 46c-14 4-24-4-22-14 9-4 19 2 22 14z" />
      <circle className="tone-dark" cx="80" cy="48" r="6" />
    </>
  ),
  phone: (
    <>
      <rect className="tone-dark" x="56" y="10" width="48" height="98" rx="9" />
      <rect className="tone-light" x="60" y="16" width="40" height="86" rx="5" />
      <rect className="tone-mid" x="66" y="28" width="28" height="18" rx="4" />
      <path className="tone-line" d="M66 58h28M66 68h20M66 78h24" />
      <circle className="tone-mid" cx="80" cy="94" r="3" />
    </>
  ),
  blender: (
    <>
      <path className="tone-light" d="M60 22h40l-6 48H66z" />
      <path className="tone-mid" d="M63 46h34l-3 24H66z" />
      <path className="tone-dark" d="M58 14h44v8H58zM64 70h32l6 34H58z" />
      <circle className="tone-light" cx="80" cy="88" r="6" />
      <path className="tone-line" d="M100 30c12 0 12 24-2 26" />
    </>
  ),
  lamp: (
    <>
      <path className="tone-dark" d="M22 84l16-34h36l-8 34z" />
      <path className="tone-line tone-line-light" d="M30 67h41M44 50l-6 34M58 50l-4 34" />
      <circle className="tone-mid" cx="112" cy="46" r="22" />
      <circle className="tone-light" cx="112" cy="46" r="14" />
      <path className="tone-dark" d="M104 68h16v10h-16zM92 100h40v5H92zM109 78h6v22h-6z" />
      <path className="tone-line" d="M66 84c6 16 22 20 43 14" />
    </>
  ),
  machine: (
    <>
      <path className="tone-dark" d="M28 90h104v14H28z" />
      <path className="tone-mid" d="M40 30h74c10 0 14 6 14 14v46h-26V56H62v14H46V56h-6z" />
      <path className="tone-line" d="M54 70v20M48 82h12" />
      <circle className="tone-light" cx="128" cy="56" r="11" />
      <circle className="tone-line" cx="128" cy="56" r="11" />
      <path className="tone-light" d="M72 38h26v8H72zM60 18h10v12H60z" />
    </>
  ),
  freezer: (
    <>
      <path className="tone-mid" d="M26 36h108v64H26z" />
      <path className="tone-light" d="M26 24h108v16H26z" />
      <path className="tone-dark" d="M70 40h20v6H70zM34 100h10v6H34zM116 100h10v6h-10z" />
      <path className="tone-line tone-line-light" d="M112 60v24M101.600 66l20.800 12M122.400 66l-20.800 12" />
      <circle className="tone-light" cx="44" cy="88" r="4" />
    </>
  ),
};

export function ProductDrawing({ id }: { readonly id: string }) {
  return (
    <svg className={`drawing drawing-${id}`} viewBox="0 0 160 120" aria-hidden="true" focusable="false">
      {drawings[id] ?? null}
    </svg>
  );
}
