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
