/** What was found, and in a line of its own what mends it. */
export function sentence({ found, remedy = '' }: { readonly found: string; readonly remedy?: string }): string {
  return [found, remedy].flatMap((text) => (text === '' ? [] : ended(text))).join('\n');
}

function ended(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?]$/.test(text) ? '' : '.'}`;
}
