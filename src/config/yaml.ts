import { type Document, type ErrorCode, LineCounter, parseDocument, Scalar, visit } from 'yaml';
import { keyName, type Problem } from './problem.ts';

export type YamlReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly Problem[] };

type Fault = readonly [problem: string, remedy: string];

/** Reads a text that holds one mapping. What YAML itself refuses is told by its line. */
export function readYaml(text: string): YamlReading {
  if (/[\0\uFFFD]/.test(text)) return refused(['is not encoded in UTF-8', 'save it as UTF-8']);
  const mark = text.split('\n').findIndex((line) => /^(?:<{7} |={7}\s*$|>{7} )/.test(line));
  if (mark >= 0) return refused(inLine(mark + 1, ['is left from an unfinished merge', 'keep one of the two versions']));

  const lines = new LineCounter();
  const document = parsePolicyYaml(text, lines);
  // What follows in the same line is mostly an echo of its first fault.
  const faults = new Map<number, Fault>();
  for (const { code, pos } of [...document.errors, ...document.warnings]) {
    const { line } = lines.linePos(pos[0]);
    if (!faults.has(line)) faults.set(line, inLine(line, FAULTS[code]?.(text.slice(pos[0])) ?? UNREADABLE));
  }
  return faults.size > 0 ? refused(...faults.values()) : readMapping(document);
}

export function parsePolicyYaml(text: string, lineCounter = new LineCounter()): Document.Parsed {
  return parseDocument(text, {
    // Only whole numbers, true, false and null are no texts: 5.0, 0x10, no, off and 12:30 stay as they were written.
    schema: 'failsafe',
    customTags: ['null', 'bool', 'int'],
    stringKeys: true,
    logLevel: 'error',
    lineCounter,
  });
}

function readMapping(document: Document): YamlReading {
  // `limits:` with nothing after it is the same as no limits.
  visit(document, {
    Pair: (_, pair) => {
      if (pair.value === null || (pair.value instanceof Scalar && pair.value.value === null))
        pair.value = new Scalar(undefined);
    },
  });
  let value: unknown;
  try {
    value = document.toJS();
  } catch {
    return refused(['has an alias (*name) of something that is not there', 'write out what it stands for']);
  }
  if (value === null) return refused(['is empty', 'copy policy.example.yml, and fill it in']);
  if (typeof value === 'object' && !Array.isArray(value)) return { ok: true, value };
  return refused([
    `is ${Array.isArray(value) ? 'a list' : 'one text'}, not a mapping`,
    'begin a line with each section and a colon, as in policy.example.yml',
  ]);
}

const UNREADABLE: Fault = ['is not readable YAML', 'compare it with policy.example.yml'];

/** By what stands where the fault is. The library's own messages speak of its parser, and some repeat the text. */
const FAULTS: Partial<Record<ErrorCode, (rest: string) => Fault>> = {
  BAD_INDENT: () => [
    'is not indented like its neighbours, or a bracket above is not closed',
    'begin what belongs together in one column',
  ],
  BAD_SCALAR_START: (rest) => [`has a text that begins with ${rest.charAt(0)}`, 'put it in quotes'],
  BLOCK_AS_IMPLICIT_KEY: () => [
    'has a second colon, or the next line is indented too far',
    'put a text with a colon in quotes',
  ],
  DUPLICATE_KEY: (rest) => [
    `has ${keyName(/^["']?([^\s:"']*)/.exec(rest)?.[1] ?? '')} a second time`,
    'keep one of the two',
  ],
  MISSING_CHAR: () => [
    'lacks a colon after its key, or here ends a text or list that is not closed',
    'add the colon, quote or bracket',
  ],
  MULTILINE_IMPLICIT_KEY: () => ['lacks a colon and a blank after its key', 'write `key: value`'],
  MULTIPLE_DOCS: () => ['begins a second document', 'remove the line ---'],
  TAB_AS_INDENT: () => ['begins with a tab', 'indent with blanks'],
  TAG_RESOLVE_FAILED: () => ['has a text that begins with !', 'put it in quotes'],
};

function inLine(line: number, [problem, remedy]: Fault): Fault {
  return [`line ${line} ${problem}`, remedy];
}

function refused(...faults: readonly Fault[]): YamlReading {
  return { ok: false, problems: faults.map(([problem, remedy]) => ({ key: 'policy', problem, remedy })) };
}
