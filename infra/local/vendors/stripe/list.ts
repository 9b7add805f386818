import { invalid, type StripeRefusal } from './errors.ts';
import { between, range, text, isInRange, type Input } from './fields.ts';

/** The parameters of every list. Stripe's page has ten objects by default, and at most a hundred. */
export const pagination = {
  limit: between(1, 100),
  starting_after: text,
  created: range,
} as const;

/** Events can also be read from an older one on. */
export const eventPagination = { ...pagination, ending_before: text } as const;

type Page = Input<typeof pagination>;
type EventPage = Input<typeof eventPagination>;

export interface ListAnswer<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

const missingCursor = (id: string, name: string): StripeRefusal =>
  invalid(`No such object: '${id}'`, name, 'resource_missing');

/** The objects whose fields equal the parameters of these names. An absent parameter matches every object. */
export const matching = <T, K extends keyof T>(
  all: readonly T[],
  input: { readonly [N in K]?: unknown },
  ...names: K[]
): T[] =>
  all.filter((object) => names.every((name) => input[name] === undefined || object[name] === input[name]));

/** A page of `all`, which is in order of creation. The page starts with the newest object. */
export function page<T extends { id: string; created: number }>(
  all: readonly T[],
  { limit = 10, starting_after: after, created }: Page,
  url: string,
): ListAnswer<T> {
  const newestFirst = all
    .filter((object) => created === undefined || isInRange(object.created, created))
    .toReversed();
  const start = newestFirst.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) throw missingCursor(after, 'starting_after');
  return {
    object: 'list',
    data: newestFirst.slice(start, start + limit),
    has_more: start + limit < newestFirst.length,
    url,
  };
}

/** Objects that can be read newest first, without reading all of them. */
interface NewestFirst<T> {
  /** The objects before `after`, newest first, or all objects. */
  before(after?: string): Iterable<T>;
  /** The objects that are newer than this. */
  after(id: string): Iterable<T>;
  /** Whether a cursor may name this object. */
  has(id: string): boolean;
}

/** A page of such objects. Reads no more than the page needs. */
export function pageOfNewest<T extends { id: string; created: number }>(
  objects: NewestFirst<T>,
  { limit = 10, starting_after: after, ending_before: before, created }: EventPage,
  url: string,
): ListAnswer<T> {
  if (after !== undefined && before !== undefined) {
    throw invalid('You cannot use both `starting_after` and `ending_before`.', 'starting_after');
  }
  for (const [name, id] of Object.entries({ starting_after: after, ending_before: before })) {
    if (id !== undefined && !objects.has(id)) throw missingCursor(id, name);
  }
  const isListed = (object: T): boolean => created === undefined || isInRange(object.created, created);
  if (before !== undefined) {
    const newer = [...objects.after(before)].filter(isListed);
    return { object: 'list', data: newer.slice(-limit), has_more: newer.length > limit, url };
  }
  const data: T[] = [];
  for (const object of objects.before(after)) {
    if (!isListed(object)) continue;
    if (data.length === limit) return { object: 'list', data, has_more: true, url };
    data.push(object);
  }
  return { object: 'list', data, has_more: false, url };
}

/** A complete list within an object. */
export const completeList = <T>(data: T[], url: string): ListAnswer<T> => ({
  object: 'list',
  data,
  has_more: false,
  url,
});
