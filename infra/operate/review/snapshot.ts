import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { product } from '../../../schemas/product/product.ts';
import { type FunctionTable, functionTable } from './function-table.ts';
import type { Resource } from './resource.ts';

/** The parts of a template that a comparison looks at. */
export interface Snapshot extends FunctionTable {
  /** Resources that are no alarm and don't belong to one function. */
  Resources: Record<string, Resource>;
}

/** Wide enough for a policy statement on one line. */
const WIDTH = 150;
/** The beginning and a hash are enough for a longer text, such as a dashboard or CloudFront code. */
const LONGEST_TEXT = 240;
const SHOWN_TEXT = 100;

/**
 * A template in a fixed order, without the values that change with every build. In names and values,
 * `(stage)` replaces the stage, so that stages can be compared.
 */
export function snapshotOf(template: { Resources: Record<string, Resource> }, stage: string): Snapshot {
  const resources = Object.entries(template.Resources)
    .filter(([, { Type }]) => Type !== 'AWS::CDK::Metadata')
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, { Type, DeletionPolicy, UpdateReplacePolicy, Properties = {} }]) => [
      id,
      {
        Type,
        ...(DeletionPolicy !== undefined && { DeletionPolicy }),
        ...(UpdateReplacePolicy !== undefined && { UpdateReplacePolicy }),
        Properties: normalised(Properties, stage) as Record<string, unknown>,
      },
    ]);
  const { rest, ...table } = functionTable(Object.fromEntries(resources) as Record<string, Resource>);
  return { ...table, Resources: rest };
}

/** The difference of a stage from another stage: a JSON merge patch (RFC 7396). */
export type StageDifference = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The values of `snapshot` that are new or different, and `null` for each value that only `other` has. */
export const differenceFrom = (other: object, snapshot: object): StageDifference =>
  Object.fromEntries(
    [...new Set([...Object.keys(other), ...Object.keys(snapshot)])].toSorted().flatMap((name) => {
      const [one, value] = [other, snapshot].map((each) => (each as Record<string, unknown>)[name]);
      if (isDeepStrictEqual(one, value)) return [];
      return [[name, isRecord(one) && isRecord(value) ? differenceFrom(one, value) : (value ?? null)]];
    }),
  );

/** The snapshot that `difference` was made from. */
export const withDifference = (other: Snapshot, difference: StageDifference): Snapshot =>
  patched({ ...other }, difference) as Snapshot;

function patched(value: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const result = isRecord(value) ? { ...value } : {};
  for (const [name, item] of Object.entries(patch)) {
    if (item === null) delete result[name];
    else result[name] = patched(result[name], item);
  }
  return Object.fromEntries(Object.entries(result).toSorted(([one], [another]) => (one < another ? -1 : 1)));
}

/** A snapshot or a difference as YAML, with a line for each value that fits. */
export const textOf = (snapshot: Snapshot | StageDifference): string => HEADER + block(snapshot, '', 0);

/** Resources, their properties and the properties' fields start on a new line, and so do functions. */
const OUTER_LEVELS: Readonly<Record<string, number>> = { Resources: 3, Functions: 2, Alarms: 2, Common: 2 };
const HEADER = '# To review and to compare. npm run snapshot writes it.\n';

export const readSnapshot = (text: string): Snapshot => parse(text) as Snapshot;
export const readDifference = (text: string): StageDifference => parse(text) as StageDifference;

function normalised(value: unknown, stage: string): unknown {
  if (typeof value === 'string') return stableText(value, stage);
  if (Array.isArray(value)) return value.map((item) => normalised(item, stage));
  if (typeof value !== 'object' || value === null) return value;
  const joined = joinedText(value);
  if (joined !== undefined) return normalised(joined, stage);
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, item]) => [name, normalised(item, stage)]),
  );
}

/** Asset names are hashes of the content. A build of the same source may result in another hash. */
function stableText(text: string, stage: string): string {
  if (text === stage) return '(stage)';
  const stable = text
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'asset')
    .replaceAll(new RegExp(`\\b${product.slug}([-/])${stage}\\b`, 'g'), `${product.slug}$1(stage)`);
  if (stable.length <= LONGEST_TEXT) return stable;
  const digest = createHash('sha256').update(stable).digest('hex').slice(0, 12);
  return `${stable.slice(0, SHOWN_TEXT)}… (${stable.length} characters, ${digest})`;
}

/** `Fn::Join` of texts and references, as a text for `Fn::Sub`. */
function joinedText(value: object): string | { 'Fn::Sub': string } | undefined {
  const [name, ...others] = Object.keys(value);
  const join = 'Fn::Join' in value ? value['Fn::Join'] : undefined;
  if (others.length > 0 || name !== 'Fn::Join' || !Array.isArray(join)) return undefined;
  const [delimiter, parts] = join as [string, unknown];
  if (!Array.isArray(parts)) return undefined;
  const texts = parts.map((part: unknown) => substituted(part));
  return texts.includes(undefined) ? undefined : { 'Fn::Sub': texts.join(delimiter) };
}

function substituted(part: unknown): string | undefined {
  if (typeof part === 'string') return part.replaceAll('${', '${!');
  if (typeof part !== 'object' || part === null) return undefined;
  if ('Ref' in part) return `\${${String(part.Ref)}}`;
  if ('Fn::GetAtt' in part && Array.isArray(part['Fn::GetAtt'])) return `\${${part['Fn::GetAtt'].join('.')}}`;
  return undefined;
}

/** Whether YAML parses this text without quotes as the same text. */
const isPlain = (text: string): boolean =>
  /^[A-Za-z_][\w:./-]*$/.test(text) &&
  !text.endsWith(':') &&
  !/^(?:true|false|yes|no|null|on|off|y|n)$/i.test(text);
const nameOf = (name: string): string => (isPlain(name) ? name : JSON.stringify(name));

const scalar = (value: unknown): string =>
  typeof value === 'string' && isPlain(value) ? value : JSON.stringify(value);

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return scalar(value);
  const entries = Object.entries(value).map(([name, item]) => `${nameOf(name)}: ${inline(item)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;
/** Objects and lists are split if their line would be too long. */
const fits = (value: unknown, used: number): boolean =>
  typeof value !== 'object' || value === null || isEmpty(value) || used + inline(value).length <= WIDTH;

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** A list of texts in several lines, each as long as it may be. */
function wrapped(texts: readonly string[], indent: string): string {
  const lines: string[] = [];
  for (const text of texts.map(scalar)) {
    const line = lines.at(-1);
    if (line !== undefined && `${indent}${line}, ${text}`.length < WIDTH)
      lines[lines.length - 1] = `${line}, ${text}`;
    else lines.push(text);
  }
  return `[${lines.join(`,\n${indent}`)}]\n`;
}

/** `outer`: how many levels below this one begin on a new line, however short they are. */
function block(value: object, indent: string, outer: number): string {
  if (Array.isArray(value)) {
    return value
      .map((item: unknown) =>
        fits(item, indent.length + 2)
          ? `${indent}- ${inline(item)}\n`
          : `${indent}- ${block(item as object, `${indent}  `, 0).trimStart()}`,
      )
      .join('');
  }
  return Object.entries(value)
    .map(([name, item]: [string, unknown]) => {
      const start = `${indent}${nameOf(name)}:`;
      const levels = indent === '' ? (OUTER_LEVELS[name] ?? 0) : outer;
      const isOuter = levels > 0 && typeof item === 'object' && item !== null && !isEmpty(item);
      if (!fits(item, start.length + 1) && isTexts(item)) return `${start} ${wrapped(item, `${indent}    `)}`;
      return !isOuter && fits(item, start.length + 1)
        ? `${start} ${inline(item)}\n`
        : `${start}\n${block(item as object, `${indent}  `, levels - 1)}`;
    })
    .join('');
}
