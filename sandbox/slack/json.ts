/** Reading of JSON whose shape is not known: everything the app sends is checked, nothing is assumed. */
export type Dict = Record<string, unknown>;

export function isDict(value: unknown): value is Dict {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function dictAt(value: unknown, key: string): Dict | undefined {
  const found = isDict(value) ? value[key] : undefined;
  return isDict(found) ? found : undefined;
}

export function textAt(value: unknown, key: string): string | undefined {
  const found = isDict(value) ? value[key] : undefined;
  return typeof found === 'string' ? found : undefined;
}

export function listAt(value: unknown, key: string): unknown[] {
  const found = isDict(value) ? value[key] : undefined;
  return Array.isArray(found) ? found : [];
}

export function dictsAt(value: unknown, key: string): Dict[] {
  return listAt(value, key).filter(isDict);
}

/** The text of a text object (`{type, text}`), or an empty string. */
export function textOf(value: unknown): string {
  return textAt(value, 'text') ?? '';
}

export function parseJson(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

export function excerpt(value: unknown, max = 400): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
  return text.length > max ? `${text.slice(0, max)}… (${text.length} characters)` : text;
}

/** Any JSON value as text, for messages to people. */
export function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
}
