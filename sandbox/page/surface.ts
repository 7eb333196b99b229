import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { bareValue } from '../slack/inputs.ts';
import { type Dict, dictsAt } from '../slack/json.ts';
import type { StateValue } from '../slack/types.ts';

/** Where blocks stand (a view or a message), and what can be done with the elements in them. */
export interface Surface {
  /** In front of every id in the page, so that the same block in two messages is two things. */
  readonly id: string;
  /** Messages fold long texts behind "See more", views do not. */
  readonly foldsTexts: boolean;
  readonly isBusy: boolean;
  /** The element whose click is not acknowledged yet. */
  readonly pressed: string | null;
  value(block: string, action: string): StateValue | undefined;
  /** What somebody sees under an input; undefined where nothing is wrong. */
  error(block: string): string | undefined;
  enter(block: string, action: string, value: StateValue): void;
  press(block: string, element: Dict, value?: StateValue): Promise<void>;
  /** The name of a person or channel that a select holds by id. */
  nameOf(id: string, type: string): string;
  suggest(block: string, action: string, query: string): Promise<readonly Dict[]>;
}

/** How a field is tied to its label, its hint and its error. */
export interface FieldDom {
  readonly id: string;
  readonly labelledBy: string;
  readonly describedBy: string;
  readonly isInvalid: boolean;
}

export interface FieldProps {
  readonly block: string;
  readonly element: Dict;
  readonly isOptional: boolean;
  /** The app hears of a change at once (`dispatch_action`, or an element that is not in an input block). */
  readonly tellsApp: boolean;
  readonly dom: FieldDom;
}

export const SurfaceContext = createContext<Surface | null>(null);

export function useSurface(): Surface {
  const surface = useContext(SurfaceContext);
  if (!surface) throw new Error('There is no surface around this');
  return surface;
}

export const elementKey = (block: string, action: unknown) => `${block}/${String(action)}`;

export function textValue(value: StateValue | undefined): string {
  const bare = value && bareValue(value);
  return typeof bare === 'string' ? bare : '';
}

/** The chosen option of a select; undefined where nothing is chosen. */
export function chosenOption(value: StateValue | undefined): Dict | undefined {
  const bare = value && bareValue(value);
  return typeof bare === 'object' && bare !== null && !Array.isArray(bare) ? (bare as Dict) : undefined;
}

export function chosenOptions(value: StateValue | undefined): readonly Dict[] {
  const bare = value && bareValue(value);
  if (Array.isArray(bare)) return dictsAt({ bare }, 'bare');
  const one = chosenOption(value);
  return one ? [one] : [];
}
