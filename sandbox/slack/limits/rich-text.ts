import { anything, boolean, byType, type Check, integer, list, object, string } from './check.ts';

const style = object({ bold: boolean, italic: boolean, strike: boolean, code: boolean, underline: boolean });
const inline = byType({ text: object({ type: anything, 'text!': string(), style }) });

export const richTextElement: Check = byType({
  rich_text_section: object({ type: anything, 'elements!': list(inline) }),
  rich_text_preformatted: object({ type: anything, 'elements!': list(inline), border: integer(0, 1) }),
});
