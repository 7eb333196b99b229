import { nearest } from './nearest.ts';
import type { Problem } from './problem.ts';

/** A mapping of the policy file. Values are taken by name; what is wrong is noted under its full key, and nothing stops early. */
export class Section {
  readonly #path: string;
  readonly #values: ReadonlyMap<unknown, unknown>;
  readonly #problems: Problem[];

  private constructor(path: string, values: ReadonlyMap<unknown, unknown>, problems: Problem[]) {
    this.#path = path;
    this.#values = values;
    this.#problems = problems;
  }

  /** An unknown key is noted at once: a misspelt limit must not be a limit that is not there. */
  static read(path: string, value: unknown, known: readonly string[], problems: Problem[]): Section {
    const values = value instanceof Map ? value : new Map();
    const section = new Section(path, values, problems);
    if (value !== undefined && value !== null && !(value instanceof Map))
      problems.push({
        key: path,
        problem: 'is not a mapping',
        remedy: `write ${known.join(', ')} below it, each with a colon`,
      });
    for (const key of values.keys()) {
      if (known.includes(String(key))) continue;
      const meant = nearest(String(key), known);
      section.note(
        String(key),
        'is not known',
        meant === null ? `use one of ${known.join(', ')}` : `did you mean ${meant}?`,
      );
    }
    return section;
  }

  key(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }

  note(name: string, problem: string, remedy: string): undefined {
    this.#problems.push({ key: this.key(name), problem, remedy });
  }

  value(name: string): unknown {
    return this.#values.get(name) ?? undefined;
  }

  /** A section below this one; an empty one when it is not there. */
  section(name: string, known: readonly string[]): Section {
    return Section.read(this.key(name), this.value(name), known, this.#problems);
  }

  /** Text that is shown to people or sent to the vendor: what is seen must be what is there. */
  text(name: string, longest: number): string | undefined {
    const value = this.value(name);
    if (value === undefined) return this.note(name, 'is missing', 'give it a text');
    if (typeof value !== 'string') return this.note(name, 'is not a text', 'put it in quotes');
    if (value.trim() !== value || value === '' || /[\p{C}\p{Zl}\p{Zp}]/u.test(value))
      return this.note(name, 'is empty, has blanks around it, or an invisible character in it', 'type it again');
    if (value.length > longest)
      return this.note(name, `is longer than ${longest} characters, the most that Slack shows in a list`, 'shorten it');
    return value;
  }

  /** Written as a whole number: 1e3, 5.0 and "5" are refused (the YAML reader makes a bigint of whole numbers only). */
  wholeNumber(name: string, least: number, unset: number): number {
    const value = this.value(name);
    if (value === undefined) return unset;
    if (typeof value === 'bigint' && value >= least && value <= LARGEST_NUMBER) return Number(value);
    this.note(
      name,
      `is not a whole number from ${least} to ${LARGEST_NUMBER}`,
      `write digits only, or leave it out for ${unset}`,
    );
    return unset;
  }

  yesOrNo(name: string, unset: boolean): boolean {
    const value = this.value(name) ?? unset;
    if (typeof value === 'boolean') return value;
    this.note(name, 'is neither true nor false', 'write true or false, without quotes');
    return unset;
  }
}

/** The largest quantity that can be typed anywhere; a limit above it limits nothing. */
const LARGEST_NUMBER = 999_999_999;
