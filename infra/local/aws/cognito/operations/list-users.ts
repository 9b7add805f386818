import * as z from 'zod/mini';
import { CognitoError } from '../errors.ts';
import { member, operation } from '../operation.ts';
import type { UserPool } from '../pools.ts';
import { attributeList, canonicalName, visibleAttributes, type User } from '../users.ts';
import { userSummary } from './user-summary.ts';

// The maximum page size of ListUsers.
const PAGE = 60;

export const listUsers = operation({
  caller: 'signed',
  request: z.object({
    UserPoolId: member.UserPoolId,
    Filter: z.nullish(
      z.string().check(z.maxLength(256, 'Member must have length less than or equal to 256')),
    ),
    AttributesToGet: z.nullish(z.array(z.string())),
    Limit: z.nullish(
      z
        .number()
        .check(
          z.gte(0, 'Member must have value greater than or equal to 0'),
          z.lte(PAGE, `Member must have value less than or equal to ${PAGE}`),
        ),
    ),
    PaginationToken: z.nullish(z.string()),
  }),
  run: ({ pools, users }, request) => {
    const pool = pools.pool(request.UserPoolId);
    const matching = users.list(pool).filter(filterOf(pool, request.Filter ?? ''));
    const after = request.PaginationToken;
    const before = matching.findIndex((user) => user.username === after);
    if (after && before === -1) {
      throw new CognitoError('InvalidParameterException', 'Invalid pagination token given.');
    }
    const from = after ? before + 1 : 0;
    const page = matching.slice(from, from + (request.Limit || PAGE));
    const last = page.at(-1);
    const more = last !== undefined && last !== matching.at(-1);
    const wanted = request.AttributesToGet;
    // "Amazon Cognito returns an error if not all users in the results have set a value for the attribute you
    // request."
    for (const name of wanted ?? []) {
      if (page.every((user) => Object.hasOwn(user.attributes, name))) continue;
      throw new CognitoError('InvalidParameterException', 'Input fails to satisfy the constraints.');
    }
    return {
      Users: page.map((user) => ({
        ...userSummary(user),
        Attributes: attributeList(visibleAttributes(user)).filter(
          ({ Name }) => !wanted || wanted.includes(Name),
        ),
      })),
      ...(more ? { PaginationToken: last.username } : {}),
    };
  },
});

const FILTER = /^\s*"?([\w:]+)"?\s*(\^?=)\s*"((?:[^"\\]|\\.)*)"\s*$/;

/** Parses `attribute = "value"`, or `^=` for a prefix. */
function filterOf(pool: UserPool, filter: string): (user: User) => boolean {
  if (filter.trim() === '') return () => true;
  const [, attribute, comparison, quoted] = FILTER.exec(filter) ?? [];
  if (attribute === undefined || quoted === undefined) {
    throw new CognitoError('InvalidParameterException', 'Error while parsing filter.');
  }
  const read = searchable.get(attribute);
  if (!read) {
    throw new CognitoError('InvalidParameterException', `Invalid search attribute: ${attribute}`);
  }
  const wanted = canonicalName(pool, quoted.replaceAll(/\\(.)/g, '$1'));
  return (user) => {
    const value = canonicalName(pool, read(user) ?? '');
    return comparison === '=' ? value === wanted : value.startsWith(wanted);
  };
}

const searchable = new Map<string, (user: User) => string | undefined>([
  ['username', (user) => user.username],
  ['sub', (user) => user.attributes['sub']],
  ['email', (user) => user.attributes['email']],
  ['name', (user) => user.attributes['name']],
  ['cognito:user_status', (user) => user.status],
]);
