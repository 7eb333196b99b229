import type { Problem } from './problem.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a small text file, or throws. */
export type ReadFile = (path: string) => { readonly text: string; readonly readableByOthers: boolean };

/** What a secret may look like: a control character or blank in a header's value would be printed with the error. */
const SECRET_FORM = /^[\x21-\x7e]{8,}$/;

/** The reading of the environment so far: values are asked for by name, what is wrong is noted, and nothing stops early. */
export class Variables {
  readonly problems: Problem[] = [];
  readonly warnings: string[] = [];
  readonly #env: Environment;
  readonly #readFile: ReadFile;

  constructor(env: Environment, readFile: ReadFile) {
    this.#env = env;
    this.#readFile = readFile;
  }

  note(key: string, problem: string, remedy: string): undefined {
    this.problems.push({ key, problem, remedy });
  }

  /** Undefined when it is not set; so is a blank one, since that is how a variable is emptied in a `.env` file. */
  text(key: string): string | undefined {
    const value = Object.hasOwn(this.#env, key) ? this.#env[key] : undefined;
    return value === undefined || value.trim() === '' ? undefined : value;
  }

  /** Is it set, in either form? */
  given(key: string): boolean {
    return this.text(key) !== undefined || this.text(`${key}_FILE`) !== undefined;
  }

  /** A secret from `KEY` or from the file that `KEY_FILE` names; undefined when not set or wrong, and then a problem is noted. */
  secret(key: string, prefix = ''): string | undefined {
    const value = this.textOrFile(key);
    if (value === undefined) return undefined;
    if (!SECRET_FORM.test(value))
      return this.note(
        this.source(key),
        'is not a usable secret: it is shorter than 8 characters, or has a blank, line break or non-ASCII character in it',
        'copy it again, alone, without quotes or blanks around it',
      );
    if (!value.startsWith(prefix))
      return this.note(this.source(key), `does not begin with ${prefix}`, `copy the token that begins with ${prefix}`);
    return value;
  }

  /** The text of `KEY`, or of the file that `KEY_FILE` names, without the line break that editors and `echo` put at the end. */
  textOrFile(key: string): string | undefined {
    const [inline, path] = [this.text(key), this.text(`${key}_FILE`)];
    if (inline !== undefined && path !== undefined)
      return this.note(key, `is set, and so is ${key}_FILE`, 'keep one of the two');
    const value = path === undefined ? inline : this.#contents(`${key}_FILE`, path);
    return value?.replace(/\r?\n$/, '');
  }

  /** The name under which a value was given, for messages. */
  source(key: string): string {
    return this.text(key) === undefined && this.text(`${key}_FILE`) !== undefined ? `${key}_FILE` : key;
  }

  wholeNumber(key: string, range: { readonly least: number; readonly most: number; readonly unset: number }): number {
    const value = this.text(key);
    if (value === undefined) return range.unset;
    if (/^(?:0|[1-9]\d{0,8})$/.test(value) && Number(value) >= range.least && Number(value) <= range.most)
      return Number(value);
    this.note(
      key,
      `is not a whole number from ${range.least} to ${range.most}`,
      `set one, or leave it out for ${range.unset}`,
    );
    return range.unset;
  }

  #contents(key: string, path: string): string | undefined {
    let file: ReturnType<ReadFile>;
    try {
      file = this.#readFile(path);
    } catch {
      return this.note(key, 'names a file that cannot be read', 'check the path and that this user may read it');
    }
    if (file.readableByOthers)
      this.warnings.push(`${key}: the file can be read by other users; chmod 600 keeps it to yourself`);
    if (file.text.trim() === '') return this.note(key, 'names an empty file', 'write the secret into it');
    return file.text;
  }
}
