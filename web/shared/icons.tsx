/** Drawings of 24 by 24 points in the colour of the text around them. They repeat what the words say. */
const paths = {
  lock: ["M7 11V8a5 5 0 0 1 10 0v3", "M5.5 11h13v9h-13z"],
  check: ["M5 12.5l4.5 4.5L19 7.5"],
  cross: ["M7 7l10 10M17 7L7 17"],
  clock: ["M12 7v5l3.2 2", "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z"],
  card: ["M3.5 6.5h17v11h-17z", "M3.5 10.5h17M7 14.5h3"],
  message: ["M4 5.5h16v11H10l-4 3.5v-3.5H4z"],
  warning: ["M12 4.5l8.5 15h-17z", "M12 10v4.2M12 16.9v.1"],
  info: ["M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z", "M12 11v5M12 8v.1"],
  receipt: ["M6 3.5h12v17l-3-2-3 2-3-2-3 2z", "M9 8.5h6M9 12.5h6"],
  arrow: ["M19 12H5M11 6l-6 6 6 6"],
  flask: ["M10 4h4M11 4v6l-5 8.5a1 1 0 0 0 .9 1.5h10.2a1 1 0 0 0 .9-1.5L13 10V4"],
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {paths[name].map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  );
}
