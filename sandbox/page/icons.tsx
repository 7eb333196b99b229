const COLOURS = 8;

/** Initials on a colour that stays with the name. */
export function Avatar({ name, size = 36, isApp = false }: { name: string; size?: number; isApp?: boolean }) {
  const initials = name
    .split(/\s+/)
    .map((word) => word.slice(0, 1))
    .slice(0, isApp ? 1 : 2)
    .join('');
  const colour = isApp
    ? 'app'
    : String(Array.from(name, (letter) => letter.charCodeAt(0)).reduce((sum, code) => sum + code, 0) % COLOURS);
  return (
    <span
      class={`avatar avatar-${colour}`}
      style={{ width: `${size}px`, height: `${size}px`, fontSize: `${size * 0.4}px` }}
      aria-hidden="true"
    >
      {initials}
    </span>
  );
}

/** Icons as strokes in a square of 16; drawn, since no font has all of them everywhere. */
const PATHS = {
  close: 'M4 4l8 8M12 4l-8 8',
  back: 'M10 3L5 8l5 5',
  right: 'M2 8h11M9 4l4 4-4 4',
  left: 'M14 8H3M7 4L3 8l4 4',
  sun: 'M8 5.200a2.800 2.800 0 1 0 0 5.600 2.800 2.800 0 0 0 0-5.600M8 1v1.500M8 13.500V15M1 8h1.500M13.500 8H15M3 3l1.100 1.100M11.900 11.900L13 13M13 3l-1.100 1.100M4.100 11.900L3 13',
  moon: 'M13 9.500A5.500 5.500 0 0 1 6.500 3a5.500 5.500 0 1 0 6.500 6.500',
  half: 'M8 2.500a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11v11',
  lock: 'M4 7.500h8v6H4zM5.500 7.500V5.500a2.500 2.500 0 0 1 5 0v2',
  eye: 'M1.500 8C3 5.200 5.300 3.800 8 3.800S13 5.200 14.500 8C13 10.800 10.700 12.200 8 12.200S3 10.800 1.500 8M8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4',
  more: 'M8 3v.010M8 8v.010M8 13v.010',
  plus: 'M8 3v10M3 8h10',
  clock: 'M8 2a6 6 0 1 0 0 12 6 6 0 0 0 0-12M8 4.500V8l2.500 1.500',
  send: 'M3 2.500L14 8 3 13.500 4.500 8zM4.500 8H9',
} as const;

export function Icon({ name, size = 16 }: { name: keyof typeof PATHS; size?: number }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width={size} height={size} aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
