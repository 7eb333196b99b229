import { isDeepStrictEqual } from 'node:util';
import { Document, isCollection, isMap, isScalar, type Node, type Pair, type YAMLMap } from 'yaml';
import { parsePolicyYaml, readYaml } from './yaml.ts';

/** A value and its place in the policy: a section, or a key of one. */
export interface PolicyEdit {
  readonly path: readonly [string] | readonly [string, string];
  readonly value: unknown;
}

/**
 * Sets values in the text of a policy, and leaves all else as it is, to the byte: comments, columns, order.
 * @returns undefined where the text is written in a way in which that cannot be done (an alias, a value of several lines).
 */
export function editPolicy(text: string, edits: readonly PolicyEdit[]): string | undefined {
  let edited = text;
  for (const edit of edits) {
    const before = read(edited);
    const wanted = withValue(before, edit);
    // What says so already keeps its comments.
    if (isDeepStrictEqual(before, wanted)) continue;
    edited = splice(edited, edit);
    if (!isDeepStrictEqual(read(edited), wanted)) return undefined;
  }
  return edited;
}

type Values = Readonly<Record<string, unknown>>;

/** As the bot will read it. */
function read(text: string): Values {
  const reading = readYaml(text);
  return reading.ok ? (reading.value as Values) : {};
}

function withValue(values: Values, { path: [section, key], value }: PolicyEdit): Values {
  if (key === undefined) return { ...values, [section]: value };
  const inside = values[section];
  return { ...values, [section]: { ...(typeof inside === 'object' ? inside : {}), [key]: value } };
}

function splice(text: string, { path: [section, key], value }: PolicyEdit): string {
  const root = parsePolicyYaml(text).contents;
  if (!isMap(root)) return append(text, section, key === undefined ? value : { [key]: value });
  const found = pairOf(root, section);
  if (!found) {
    const whole = key === undefined ? value : { [key]: value };
    return root.flow ? insert(text, root, section, whole) : append(text, section, whole);
  }
  if (key === undefined) return replace(text, found, value);
  if (!isMap(found.value)) return replace(text, found, { [key]: value });
  const inner = pairOf(found.value, key);
  return inner ? replace(text, inner, value) : insert(text, found.value, key, value);
}

type Entry = Pair<Node, Node | null>;

function pairOf(map: YAMLMap, key: string): Entry | undefined {
  return (map.items as Entry[]).find((pair) => isScalar(pair.key) && pair.key.value === key);
}

function append(text: string, section: string, value: unknown): string {
  const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  return `${text}${gap}${section}:${after(value, 0)}\n`;
}

/** Before what the mapping begins with. */
function insert(text: string, map: YAMLMap, key: string, value: unknown): string {
  const at = startOf(map);
  if (map.flow) {
    const rest = map.items.length === 0 ? ' ' : ',';
    return `${text.slice(0, at + 1)} ${key}: ${inFlow(value)}${rest}${text.slice(at + 1)}`;
  }
  const column = columnOf(text, at);
  return `${text.slice(0, at)}${key}:${after(value, column)}\n${' '.repeat(column)}${text.slice(at)}`;
}

/** What stands in one line and stays there keeps the blanks before it and the comment after it. */
function replace(text: string, { key, value: old }: Entry, value: unknown): string {
  const keyEnd = key.range?.[1] ?? 0;
  const colon = text.indexOf(':', keyEnd) + 1;
  const oldStart = old ? Math.max(startOf(old), colon) : colon;
  const oldEnd = old ? Math.max(text.slice(0, old.range?.[1] ?? colon).trimEnd().length, colon) : colon;
  const staysInLine = old !== null && oldEnd > oldStart && isInLine(old) && !isBlock(value);
  if (staysInLine) return `${text.slice(0, oldStart)}${inFlow(value)}${text.slice(oldEnd)}`;
  return `${text.slice(0, colon)}${after(value, columnOf(text, startOf(key)))}${text.slice(oldEnd)}`;
}

function isInLine(node: Node): boolean {
  return !isCollection(node) || node.flow === true;
}

/** Lists of texts stand in one line; mappings, and lists of them, in several. */
function isBlock(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isBlock) : typeof value === 'object' && value !== null;
}

/** What follows the colon of a key that begins in this column. */
function after(value: unknown, column: number): string {
  if (!isBlock(value)) return ` ${inFlow(value)}`;
  const lines = new Document(value).toString({ lineWidth: 0, flowCollectionPadding: false }).trimEnd().split('\n');
  return lines.map((line) => `\n${' '.repeat(column + 2)}${line}`).join('');
}

function inFlow(value: unknown): string {
  const document = new Document(value);
  if (isCollection(document.contents)) document.contents.flow = true;
  return document.toString({ lineWidth: 0, flowCollectionPadding: false }).trimEnd();
}

function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

function columnOf(text: string, at: number): number {
  return at - (text.lastIndexOf('\n', at - 1) + 1);
}
