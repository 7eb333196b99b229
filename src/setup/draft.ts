import { isDeepStrictEqual } from 'node:util';
import type { PolicyEdit } from '../config/edit-policy.ts';
import type { ReadFile } from '../config/files.ts';
import { type Environment, SECRETS } from '../config/given.ts';

export interface Present {
  /** What `.env` says. */
  readonly env: Environment;
  /** What is set where setup was started, and wins over `.env`. */
  readonly outside: Environment;
  /** What policy.yml says; null where there is none yet, or nothing in it but the example. */
  readonly policy: PolicyValues | null;
  /** What the example says. */
  readonly example: PolicyValues;
  readonly readFile: ReadFile;
}

export type PolicyValues = Readonly<Record<string, unknown>>;

/** What is there, and what of it was asked to be changed. Nothing of it is written before all of it is. */
export class Draft {
  readonly present: Present;
  readonly env = new Map<string, string>();
  /** What people call the user groups and channels whose ids were chosen. */
  readonly names = new Map<string, string>();
  readonly #edits = new Map<string, PolicyEdit>();

  constructor(present: Present) {
    this.present = present;
  }

  get edits(): readonly PolicyEdit[] {
    return [...this.#edits.values()];
  }

  /** A setting as the bot would read it now, an empty text where it is not set. */
  setting(name: string): string {
    const inFile = this.#fileOf(name);
    return this.#outside(name) ?? this.env.get(name) ?? (inFile ? this.#contents(inFile) : this.#given(name)) ?? '';
  }

  /** Where a setting is kept that setup cannot change; undefined: in `.env`, or nowhere. */
  elsewhere(name: string): string | undefined {
    if (this.#outside(name) !== undefined) return 'the environment, which wins over .env';
    const inFile = this.#fileOf(name);
    return inFile && `the file ${inFile} (${name}_FILE)`;
  }

  set(name: string, value: string): void {
    if (value === (this.#given(name) ?? '')) this.env.delete(name);
    else this.env.set(name, value);
  }

  /** A value of the policy as it would be now. */
  policy(section: string, key?: string): unknown {
    const edited = this.#edits.get([section, key].join('.')) ?? this.#edits.get([section, undefined].join('.'));
    if (edited?.path.length === 2 || (edited && key === undefined)) return edited.value;
    const values = edited ? edited.value : this.present.policy?.[section];
    return key === undefined ? values : inside(values, key);
  }

  /** What the example has in the place, where there is no policy yet. */
  usual(section: string, key: string): unknown {
    return this.policy(section, key) ?? inside(this.present.example[section], key);
  }

  edit(path: PolicyEdit['path'], value: unknown): void {
    const [section, key] = path;
    if (!isDeepStrictEqual(value, this.policy(section, key)))
      this.#edits.set([section, key].join('.'), { path, value });
  }

  /** The same for what has a usual value, which is not written into a policy that does without. */
  editSetting(section: string, key: string, value: string | number | boolean): void {
    const isUsual = this.present.policy !== null && value === this.usual(section, key);
    if (this.policy(section, key) !== undefined || !isUsual) this.edit([section, key], value);
  }

  #outside(name: string): string | undefined {
    return blankIsUnset(this.present.outside[name]);
  }

  #given(name: string): string | undefined {
    return blankIsUnset(this.present.env[name]);
  }

  #fileOf(name: string): string | undefined {
    if (!SECRETS.includes(name)) return undefined;
    return this.#outside(`${name}_FILE`) ?? this.#given(`${name}_FILE`);
  }

  #contents(path: string): string | undefined {
    try {
      return this.present.readFile(path).text.trim();
    } catch {
      // The doctor says why.
      return undefined;
    }
  }
}

function blankIsUnset(text: string | undefined): string | undefined {
  return text?.trim() ? text : undefined;
}

function inside(values: unknown, key: string): unknown {
  return typeof values === 'object' && values !== null ? (values as PolicyValues)[key] : undefined;
}
