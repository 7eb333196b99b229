// What a JSON column holds is looked at by these few: a library that can do more takes longer to load than a short command has.

/** What a value has to be like. A field that is not named may be there too. */
export interface Shape<T> {
  /** @returns null where it fits, else the place inside it and what is wrong there, never what it holds */
  readonly fault: (value: unknown) => Fault | null;
  /** Only for the compiler. */
  readonly type?: T;
}

interface Fault {
  readonly path: readonly string[];
  readonly what: string;
}

type Shapes = Readonly<Record<string, Shape<unknown>>>;
type TypeOf<S> = S extends Shape<infer T> ? T : never;
type Fields<Needed, Optional> = { readonly [K in keyof Needed]: TypeOf<Needed[K]> } & {
  readonly [K in keyof Optional]?: TypeOf<Optional[K]>;
};

export function being<T>(fits: (value: unknown) => boolean, what: string): Shape<T> {
  const fault = { path: [], what };
  return { fault: (value) => (fits(value) ? null : fault) };
}

export const text = being<string>((value) => typeof value === 'string', 'not a text');
export const number = being<number>(Number.isFinite, 'not a number');
export const yesOrNo = being<boolean>((value) => typeof value === 'boolean', 'neither true nor false');
export const yes = being<true>((value) => value === true, 'not true');

export function among<const T extends string>(known: readonly T[]): Shape<T> {
  return being((value) => known.some((one) => one === value), 'none of those that are known');
}

export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return { fault: (value) => (value === null ? null : shape.fault(value)) };
}

export function listOf<T>(shape: Shape<T>): Shape<readonly T[]> {
  return {
    fault: (value) => (Array.isArray(value) ? firstFault(value, () => shape) : { path: [], what: 'not a list' }),
  };
}

/** Of names that nobody knows beforehand. */
export function recordOf<T>(shape: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return { fault: (value) => notObject(value) ?? firstFault(value as object, () => shape) };
}

export function object<Needed extends Shapes, Optional extends Shapes>(
  needed: Needed,
  optional?: Optional,
): Shape<Fields<Needed, Optional>> {
  return {
    fault(value) {
      const missing = notObject(value);
      if (missing) return missing;
      const fields = value as Record<string, unknown>;
      for (const name in needed) {
        const found = within(name, needed[name]?.fault(Object.hasOwn(fields, name) ? fields[name] : undefined));
        if (found) return found;
      }
      return optional
        ? firstFault(fields, (name) => (Object.hasOwn(optional, name) ? optional[name] : undefined))
        : null;
    },
  };
}

export function oneOf<A, B>(first: Shape<A>, second: Shape<B>): Shape<A | B> {
  return { fault: (value) => first.fault(value) && second.fault(value) };
}

function notObject(value: unknown): Fault | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? null
    : { path: [], what: 'not an object' };
}

function firstFault(value: object, shapeOf: (name: string) => Shape<unknown> | undefined): Fault | null {
  for (const [name, part] of Object.entries(value)) {
    const found = within(name, shapeOf(name)?.fault(part));
    if (found) return found;
  }
  return null;
}

function within(name: string, found: Fault | null | undefined): Fault | null {
  return found ? { ...found, path: [name, ...found.path] } : null;
}
