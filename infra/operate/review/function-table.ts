import { isDeepStrictEqual } from 'node:util';
import type { Resource } from './resource.ts';

type Values = Record<string, unknown>;

/** The alarms of a template, and its functions, each with the resources that belong to it alone. */
export interface FunctionTable {
  /** The properties that most functions or alarms have, and the value of each variable. */
  Common: Record<string, Values>;
  /** The differences from that, by the logical id of the function. */
  Functions: Record<string, Values>;
  /** The differences of each alarm from `Common.Alarm`. */
  Alarms: Record<string, Values>;
}

const ALARM = 'AWS::CloudWatch::Alarm';
const FUNCTION = 'AWS::Lambda::Function';
const ROLE = 'AWS::IAM::Role';
const INTEGRATION = 'AWS::ApiGatewayV2::Integration';
const SCHEDULE = 'AWS::Scheduler::Schedule';

/** The types that belong to a function, and how: they name their owner, or their owner names them. */
const belonging: Readonly<Record<string, { names: string } | { namedBy: readonly string[] }>> = {
  [ROLE]: { namedBy: [FUNCTION, SCHEDULE] },
  'AWS::Logs::LogGroup': { namedBy: [FUNCTION] },
  'AWS::Lambda::Permission': { names: FUNCTION },
  'AWS::Lambda::EventInvokeConfig': { names: FUNCTION },
  [SCHEDULE]: { names: FUNCTION },
  [INTEGRATION]: { names: FUNCTION },
  'AWS::ApiGatewayV2::Route': { names: INTEGRATION },
};

/** Printed for every function, since a reader compares them. */
const NEVER_COMMON = ['MemorySize', 'Timeout'];
const MISSING = '(none)';

/**
 * Folds each alarm, and each function and its resources, into a row. `rest` has all other resources, and
 * those that belong to several functions. A change of any property changes the table or `rest`.
 */
export function functionTable(all: Record<string, Resource>): FunctionTable & {
  rest: Record<string, Resource>;
} {
  const parts = ownParts(all);
  const rows = Object.fromEntries([...parts].map(([id, names]) => [id, rowOf(names, all)]));
  const alarms = Object.keys(all).filter((id) => all[id]?.Type === ALARM);
  const alarmRows = alarms.map((id) => rowOf(new Map([[id, 'Alarm']]), all));
  const common = commonOf([...Object.values(rows), ...alarmRows]);
  const folded = new Set([...alarms, ...[...parts.values()].flatMap((names) => [...names.keys()])]);
  return {
    Common: common,
    Functions: Object.fromEntries(Object.entries(rows).map(([id, row]) => [id, without(row, common)])),
    Alarms: Object.fromEntries(
      alarms.map((id, index) => [id, (without(alarmRows[index] ?? {}, common)['Alarm'] ?? {}) as Values]),
    ),
    rest: Object.fromEntries(Object.entries(all).filter(([id]) => !folded.has(id))),
  };
}

/** By function, the ids of its resources, each with a name such as `Role`. */
function ownParts(all: Record<string, Resource>): Map<string, Map<string, string>> {
  const references = new Map(
    Object.entries(all).map(([id, resource]) => [id, new Set(JSON.stringify(resource).match(/\w+/g))]),
  );
  const belongsTo = (part: string, owner: string): boolean => {
    const way = belonging[all[part]?.Type ?? ''];
    const type = all[owner]?.Type ?? '';
    if (!way || part === owner) return false;
    return 'names' in way
      ? way.names === type && references.get(part)?.has(owner) === true
      : way.namedBy.includes(type) && references.get(owner)?.has(part) === true;
  };
  const ids = Object.keys(all).filter((id) => all[id] && all[id].Type in belonging);
  const parts = new Map<string, Map<string, string>>();
  for (const [id, { Type }] of Object.entries(all)) {
    if (Type !== FUNCTION) continue;
    const names = new Map([[id, 'Function']]);
    // The map grows while it is read.
    for (const [owner, ownerName] of names) {
      for (const part of ids.filter((each) => !names.has(each) && belongsTo(each, owner))) {
        const name = all[part]?.Type.split('::').at(-1) ?? '';
        names.set(part, [...names.values()].includes(name) ? ownerName + name : name);
      }
    }
    parts.set(id, names);
  }
  const claims = [...parts.values()].flatMap((names) => [...names.keys()]);
  const shared = new Set(claims.filter((id, index) => claims.indexOf(id) !== index));
  for (const names of parts.values()) {
    for (const id of names.keys()) if (shared.has(id)) names.delete(id);
  }
  return parts;
}

interface Statement extends Values {
  Action: string | string[];
  Resource: unknown;
}

/** The statements of a role's own policy, if it says no more than which actions the role may do. */
function usualStatements(policies: unknown): Statement[] | undefined {
  const [policy, ...others] = policies as { PolicyDocument: { Statement: Statement[] } }[];
  const statements = policy?.PolicyDocument.Statement ?? [];
  const usual = { PolicyName: 'Rights', PolicyDocument: { Statement: statements, Version: '2012-10-17' } };
  const isUsual = others.length === 0 && isDeepStrictEqual(policy, usual);
  return isUsual && statements.every((each) => 'Action' in each && 'Resource' in each)
    ? statements
    : undefined;
}

/** The log of these resources' function, if the function shares it. */
function sharedLog(names: Map<string, string>, all: Record<string, Resource>): string | undefined {
  const [id = ''] = names.keys();
  const { LoggingConfig } = (all[id]?.Properties ?? {}) as { LoggingConfig?: { LogGroup?: { Ref: string } } };
  const log = LoggingConfig?.LogGroup?.Ref;
  return log !== undefined && !names.has(log) ? log : undefined;
}

function rowOf(names: Map<string, string>, all: Record<string, Resource>): Record<string, Values> {
  const row: Record<string, Values> = {};
  const log = sharedLog(names, all);
  const known = new Map([...names, ...(log === undefined ? [] : [[log, 'LogGroup'] as const])]);
  if (log !== undefined) row['SharedLog'] = { Id: log };
  for (const [id, name] of names) {
    const { Type: _, Properties = {}, ...policies } = renamed(all[id] as Resource, known);
    const { Environment, Metrics, Policies, ...others } = withShortAlarm(id, Properties) as {
      Environment?: { Variables: Values };
      Metrics?: Metric[];
      Policies?: unknown[];
    };
    const statements = Policies && usualStatements(Policies);
    row[name] = {
      ...policies,
      ...others,
      ...(Metrics && { Metrics: shortMetrics(Metrics) }),
      ...(!statements && Policies && { Policies }),
    };
    if (Environment) row['Variables'] = Environment.Variables;
    if (statements) {
      const actions = (row[name.replace(/Role$/, 'Actions')] ??= {});
      for (const statement of statements) addActions(actions, statement);
    }
  }
  return row;
}

interface Metric {
  Id: string;
  Expression?: string;
  MetricStat?: {
    Metric: { Dimensions?: { Name: string; Value: unknown }[]; MetricName: string; Namespace: string };
    Period: number;
    Stat: string;
  };
}
/** Statistic, period, namespace, name and, if there are any, dimensions. */
type ShortMetric = [string, number, string, string, ...dimensions: Values[]];

const dimensionsOf = (dimensions: { Name: string; Value: unknown }[] = []): Values[] =>
  dimensions.length > 0 ? [Object.fromEntries(dimensions.map(({ Name, Value }) => [Name, Value]))] : [];

const dimensionList = (dimensions: Values = {}) =>
  Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value }));

/** An alarm's properties, with its periods in a line, and without the part of its name that is in its id. */
function withShortAlarm(id: string, properties: Values): Values {
  const { AlarmName, DatapointsToAlarm, EvaluationPeriods, ...others } = properties;
  if (typeof AlarmName !== 'string') return properties;
  const [, inId = AlarmName] = /^Alarms(\w+)[0-9A-F]{8}$/.exec(id) ?? [];
  return {
    ...withMetricLine(others),
    AlarmName: AlarmName.endsWith(`-${inId}`) ? `${AlarmName.slice(0, -inId.length)}*` : AlarmName,
    Periods: [DatapointsToAlarm ?? MISSING, EvaluationPeriods ?? MISSING],
  };
}

/** The properties of an alarm on one metric, with the metric in a line. Others stay as they are. */
function withMetricLine(properties: Values): Values {
  const { Statistic, Period, Namespace, MetricName, Dimensions, ...others } = properties;
  if (MetricName === undefined) return properties;
  const dimensions = dimensionsOf(Dimensions as { Name: string; Value: unknown }[] | undefined);
  const isComplete = isDeepStrictEqual(dimensionList(dimensions[0]), Dimensions ?? []);
  return isComplete
    ? { ...others, Metric: [Statistic, Period, Namespace, MetricName, ...dimensions] }
    : properties;
}

/** An alarm's metrics by their ids. Metrics are unchanged if they can't be read from that. */
function shortMetrics(metrics: Metric[]): unknown {
  const short = metrics.map(({ Id, Expression, MetricStat }): [string, unknown] => {
    if (!MetricStat) return [Id, Expression];
    const { Metric, Period, Stat } = MetricStat;
    const line: ShortMetric = [
      Stat,
      Period,
      Metric.Namespace,
      Metric.MetricName,
      ...dimensionsOf(Metric.Dimensions),
    ];
    return [Id, line];
  });
  const rows = Object.fromEntries(short);
  return isDeepStrictEqual(Object.entries(rows).map(longMetric), metrics) ? rows : metrics;
}

function longMetric([Id, short]: [string, unknown]) {
  if (!Array.isArray(short)) return { Expression: short, Id, ReturnData: true };
  const [Stat, Period, Namespace, MetricName, dimensions] = short as ShortMetric;
  const Metric = { ...(dimensions && { Dimensions: dimensionList(dimensions) }), MetricName, Namespace };
  return { Id, MetricStat: { Metric, Period, Stat }, ReturnData: false };
}

/** The resource, with its function's own resources by their names: `(Role)`. */
const renamed = (resource: Resource, names: Map<string, string>): Resource =>
  JSON.parse(
    JSON.stringify(resource).replaceAll(/\w+/g, (id) => (names.has(id) ? `(${names.get(id)})` : id)),
  ) as Resource;

/** Adds a statement to `actions`: texts like `dynamodb:GetItem, PutItem`, by resource and condition. */
function addActions(actions: Values, { Action, Resource: target, Effect, ...others }: Statement): void {
  const limits = { ...(Effect !== 'Allow' && { Effect: Effect ?? MISSING }), ...others };
  const suffix = Object.keys(limits).length > 0 ? ` ${JSON.stringify(limits)}` : '';
  for (const each of [target].flat()) {
    const key = `${targetText(each)}${suffix}`;
    const before = key in actions ? `${String(actions[key])}; ` : '';
    actions[key] = before + shortList([Action].flat());
  }
}

function targetText(target: unknown): string {
  if (typeof target === 'string') return target;
  const { 'Fn::GetAtt': attribute, 'Fn::Sub': text } = target as {
    'Fn::GetAtt'?: string[];
    'Fn::Sub'?: string;
  };
  if (attribute?.[1] === 'Arn') return attribute[0] ?? '';
  return text ?? JSON.stringify(target);
}

/** `['a:X', 'a:Y', 'b:Z']` as `a:X, Y, b:Z`. */
const shortList = (actions: readonly string[]): string =>
  actions
    .map((action, index) => {
      const service = action.slice(0, action.indexOf(':') + 1);
      return index > 0 && actions[index - 1]?.startsWith(service) ? action.slice(service.length) : action;
    })
    .join(', ');

/** By part and property, the value that more than half of the rows with this part have. */
function commonOf(rows: readonly Record<string, Values>[]): Record<string, Values> {
  const common: Record<string, Values> = {};
  for (const part of new Set(rows.flatMap((row) => Object.keys(row)))) {
    const having = rows.flatMap((row): Values[] => (row[part] ? [row[part]] : []));
    const names = new Set(having.flatMap((values) => Object.keys(values)));
    for (const name of [...names].toSorted()) {
      if (!canBeCommon(part, name)) continue;
      const [value, count] = mostFrequent(having.map((values) => values[name]));
      if (part === 'Variables' || count > having.length / 2) (common[part] ??= {})[name] = value;
    }
  }
  return common;
}

/** A right to something that other functions use too is never left out. */
const canBeCommon = (part: string, name: string): boolean =>
  !NEVER_COMMON.includes(name) && (part !== 'Actions' || name.startsWith('('));

function mostFrequent(values: readonly unknown[]): [value: unknown, count: number] {
  const counts = new Map<string, number>();
  for (const value of values.filter((each) => each !== undefined)) {
    const text = JSON.stringify(value);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const [[text, count] = ['null', 0]] = [...counts].toSorted(([, one], [, other]) => other - one);
  return [JSON.parse(text) as unknown, count];
}

/** A row without what is common, and with the names of its parts. */
function without(row: Record<string, Values>, common: Record<string, Values>): Values {
  const reduced: Values = { Parts: Object.keys(row) };
  for (const [part, values] of Object.entries(row)) {
    const ofPart = common[part] ?? {};
    const isCommon = (name: string) => JSON.stringify(ofPart[name]) === JSON.stringify(values[name]);
    const names = Object.keys(values);
    if (part === 'Variables') {
      reduced[part] = names.map((name) => (isCommon(name) ? name : { [name]: values[name] }));
      continue;
    }
    const missing = Object.keys(ofPart).filter((name) => !(name in values));
    const others = [
      ...names.filter((name) => !isCommon(name)).map((name) => [name, values[name]]),
      ...missing.map((name) => [name, MISSING]),
    ];
    if (others.length > 0) reduced[part] = Object.fromEntries(others);
  }
  return reduced;
}
