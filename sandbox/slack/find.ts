import { type Placed, placedElements } from './inputs.ts';
import { type Dict, dictAt, isDict, textAt, textOf } from './json.ts';
import { allOptions } from './limits/text.ts';
import { readText } from './text.ts';

export type Label = string | RegExp;

export interface Which {
  /** Which of several with the same label, counted from 1. Needed when there are several. */
  nth?: number;
}

export function matches(label: Label, text: string): boolean {
  return typeof label === 'string' ? text.trim() === label.trim() : label.test(text);
}

/** The words by which a person knows an input: its label, the text beside it, or its placeholder. */
export function inputLabels({ block, element }: Placed): string[] {
  const beside = block['type'] === 'input' ? block['label'] : block['text'];
  return [readText(beside), readText(element['placeholder'])].filter((text) => text !== '');
}

export function findInput(
  blocks: Dict[],
  label: Label,
  types: readonly string[] | null,
  which: Which,
  screen: () => string,
): Placed {
  const found = placedElements(blocks).filter(
    (placed) =>
      !isButton(placed) &&
      (types?.includes(placed.type) ?? true) &&
      inputLabels(placed).some((text) => matches(label, text)),
  );
  return only(found, `input labelled ${quote(label)}`, which, screen);
}

export function findButton(blocks: Dict[], label: Label, which: Which, screen: () => string): Placed {
  const found = placedElements(blocks).filter(
    (placed) => isButton(placed) && matches(label, readText(placed.element['text'])),
  );
  return only(found, `button ${quote(label)}`, which, screen);
}

/** A checkbox by its own words, or a lone checkbox by the label of its input. */
export function findTick(blocks: Dict[], label: Label, which: Which, screen: () => string): Placed & { option: Dict } {
  const found = placedElements(blocks)
    .filter(({ type }) => type === 'checkboxes')
    .flatMap((placed) => {
      const options = allOptions(placed.element).filter(isDict);
      const byLabel = options.length === 1 && inputLabels(placed).some((text) => matches(label, text));
      return options
        .filter((option) => byLabel || matches(label, readText(option['text'])))
        .map((option) => ({ ...placed, option }));
    });
  return only(found, `checkbox ${quote(label)}`, which, screen);
}

export function findOption(options: unknown[], label: Label, what: string, screen: () => string): Dict {
  const found = options.filter(isDict).filter((option) => matches(label, readText(option['text'])));
  const offered = options.map((option) => textOf(dictAt(option, 'text'))).join(', ');
  return only(found, `option ${quote(label)} of ${what} (offered: ${offered || 'nothing'})`, {}, screen);
}

export function only<T>(found: T[], what: string, { nth }: Which, screen: () => string): T {
  const chosen = nth === undefined ? found[0] : found[nth - 1];
  if (chosen !== undefined && (nth !== undefined || found.length === 1)) return chosen;
  const problem =
    found.length === 0
      ? `There is no ${what}`
      : nth === undefined
        ? `There are ${found.length}: ${what}; say which with nth`
        : `There are only ${found.length}: ${what}, not ${nth}`;
  throw new Error(`${problem}.\n${screen()}`);
}

export function quote(label: Label): string {
  return typeof label === 'string' ? `"${label}"` : String(label);
}

function isButton({ type }: Placed): boolean {
  return type === 'button';
}

export function confirmTitle(element: Dict): string | null {
  const dialog = dictAt(element, 'confirm');
  return dialog ? textOf(dialog['title']) || textAt(dialog['text'], 'text') || '' : null;
}
