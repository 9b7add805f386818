import { invalid } from './errors.ts';
import { between, range, text, isInRange, type Input } from './fields.ts';

/** The parameters of every list. Stripe's pagination: ten a page, at most a hundred. */
export const pagination = {
  limit: between(1, 100),
  starting_after: text,
  ending_before: text,
  created: range,
} as const;

type Page = Input<typeof pagination>;

export interface ListAnswer<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

/** One page of `all`, which is in order of creation. The page starts with the newest. */
export function page<T extends { id: string; created: number }>(
  all: readonly T[],
  { limit = 10, starting_after: after, ending_before: before, created }: Page,
  url: string,
): ListAnswer<T> {
  if (after !== undefined && before !== undefined) {
    throw invalid('You cannot use both `starting_after` and `ending_before`.', 'starting_after');
  }
  const newestFirst = all
    .filter((object) => created === undefined || isInRange(object.created, created))
    .toReversed();
  const placeOf = (id: string, name: string): number => {
    const place = newestFirst.findIndex((object) => object.id === id);
    if (place === -1) throw invalid(`No such object: '${id}'`, name, 'resource_missing');
    return place;
  };
  if (before !== undefined) {
    const end = placeOf(before, 'ending_before');
    const start = Math.max(0, end - limit);
    return { object: 'list', data: newestFirst.slice(start, end), has_more: start > 0, url };
  }
  const start = after === undefined ? 0 : placeOf(after, 'starting_after') + 1;
  return {
    object: 'list',
    data: newestFirst.slice(start, start + limit),
    has_more: start + limit < newestFirst.length,
    url,
  };
}

/**
 * One page of objects that can be read newest first, beginning before the object `after`. Reads no more than
 * the page needs. `has`: whether an object exists.
 */
export function pageOfNewest<T extends { id: string; created: number }>(
  { newestFirst, has }: { newestFirst: (after?: string) => Iterable<T>; has: (id: string) => boolean },
  input: Page,
  url: string,
): ListAnswer<T> {
  const { limit = 10, starting_after: after, ending_before: before, created } = input;
  // Rare: `ending_before`, and an unknown object, which is refused.
  if (before !== undefined || (after !== undefined && !has(after))) {
    return page([...newestFirst()].toReversed(), input, url);
  }
  const data: T[] = [];
  for (const object of newestFirst(after)) {
    if (created !== undefined && !isInRange(object.created, created)) continue;
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
