import type { Dict } from './json.ts';

/**
 * A message's section with more than this is folded behind "See more" unless the block has `expand: true`. How much is
 * documented only for legacy attachments: 700 characters or five line breaks. For sections Slack says "may", and no number.
 */
const CHARACTERS_MAX = 700;
const LINES_MAX = 5;

/** What of a section's text, as it is read, waits behind "See more"; an empty text: nothing. */
export function foldedPart(block: Dict, text: string): string {
  if (block['type'] !== 'section' || block['expand'] === true) return '';
  const lines = text.split('\n').slice(0, LINES_MAX).join('\n');
  return text.slice(Math.min(lines.length, CHARACTERS_MAX)).trim();
}
