import * as z from 'zod/mini';
import { checkAttributes, checkEmailFree, checkMutable, checkRequired } from '../attributes.ts';
import { checkPassword, completeSignIn } from '../authentication.ts';
import { emailTaken, invalidParameter } from '../errors.ts';
import { attributeRecord, member, operation } from '../operation.ts';
import { checkPolicy } from '../passwords.ts';
import { createVerifier } from '../srp.ts';
import { attributeList, canonicalName, type User, userIdFrom, visibleAttributes } from '../users.ts';

// The maximum page size of ListUsers.
const PAGE = 60;

const oneUser = z.object({ UserPoolId: member.UserPoolId, Username: member.Username });

/** A user in the responses, without attributes. Dates are epoch seconds, as in JSON 1.1. */
const userSummary = (user: User) => ({
  Username: user.username,
  UserCreateDate: Date.parse(user.createdAt) / 1000,
  UserLastModifiedDate: Date.parse(user.modifiedAt) / 1000,
  Enabled: true,
  UserStatus: user.status,
});

export const administration = {
  AdminInitiateAuth: operation({
    caller: 'signed',
    request: z.object({
      UserPoolId: member.UserPoolId,
      ClientId: member.ClientId,
      AuthFlow: z.literal(
        'ADMIN_USER_PASSWORD_AUTH',
        'The local Cognito has no other flow for administrators.',
      ),
      AuthParameters: z.object({ USERNAME: z.string(), PASSWORD: z.string() }),
    }),
    run: async (parts, { ClientId, AuthParameters }) => {
      const client = parts.pools.client(ClientId);
      if (!client.settings.ExplicitAuthFlows.includes('ALLOW_ADMIN_USER_PASSWORD_AUTH')) {
        throw invalidParameter('Auth flow not enabled for this client');
      }
      const { USERNAME: name, PASSWORD: password } = AuthParameters;
      const found = parts.users.find(client.pool, name);
      const user = checkPassword(parts, client.pool, { user: found, name, password });
      return completeSignIn(parts, client, user);
    },
  }),

  ListUsers: operation({
    caller: 'signed',
    request: z.object({
      UserPoolId: member.UserPoolId,
      Filter: z.nullish(
        z.string().check(z.maxLength(256, 'Member must have length less than or equal to 256')),
      ),
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
      const matching = users.list(pool).filter(filterOf(request.Filter ?? ''));
      const after = request.PaginationToken;
      const before = matching.findIndex((user) => user.username === after);
      if (after && before === -1) throw invalidParameter('Invalid pagination token given.');
      const from = after ? before + 1 : 0;
      const page = matching.slice(from, from + (request.Limit || PAGE));
      const last = page.at(-1);
      const more = last !== undefined && last !== matching.at(-1);
      return {
        Users: page.map((user) => ({
          ...userSummary(user),
          Attributes: attributeList(visibleAttributes(user)),
        })),
        ...(more ? { PaginationToken: last.username } : {}),
      };
    },
  }),

  /** Creates an account without its own password, which AdminSetUserPassword sets next. */
  AdminCreateUser: operation({
    caller: 'signed',
    request: z.extend(oneUser, {
      UserAttributes: z.nullish(member.Attributes),
      MessageAction: z.nullish(z.string()),
      ClientMetadata: member.Metadata,
    }),
    run: async ({ clock, pools, triggers, users }, request) => {
      const pool = pools.pool(request.UserPoolId);
      if (request.MessageAction !== 'SUPPRESS') {
        throw invalidParameter('The local Cognito sends no invitations.');
      }
      if (!request.Username.includes('@')) throw invalidParameter('Username should be an email.');
      const given = attributeRecord(request.UserAttributes ?? []);
      const attributes = { ...given, email: given['email'] ?? request.Username };
      checkAttributes(pool, 'administrator', attributes);
      checkRequired(pool, attributes);
      const username = userIdFrom();
      await triggers.preSignUp('PreSignUp_AdminCreateUser', {
        pool,
        clientId: 'CLIENT_ID_NOT_APPLICABLE',
        username,
        metadata: request.ClientMetadata,
        attributes,
        validationData: undefined,
      });
      if (users.byEmail(pool, attributes.email)) throw emailTaken('UsernameExistsException');
      const now = clock.now().toISOString();
      const user: User = {
        poolId: pool.id,
        username,
        status: 'FORCE_CHANGE_PASSWORD',
        attributes: { sub: username, ...attributes },
        identities: [],
        createdAt: now,
        modifiedAt: now,
      };
      users.put(user);
      return { User: { ...userSummary(user), Attributes: attributeList(user.attributes) } };
    },
  }),

  AdminGetUser: operation({
    caller: 'signed',
    request: oneUser,
    run: ({ pools, users }, { UserPoolId, Username }) => {
      const user = users.existing(pools.pool(UserPoolId), Username);
      return { ...userSummary(user), UserAttributes: attributeList(visibleAttributes(user)) };
    },
  }),

  AdminUpdateUserAttributes: operation({
    caller: 'signed',
    request: z.extend(oneUser, {
      UserAttributes: member.Attributes,
      ClientMetadata: member.Metadata,
    }),
    run: ({ clock, pools, users }, request) => {
      const pool = pools.pool(request.UserPoolId);
      const user = users.existing(pool, request.Username);
      const written = attributeRecord(request.UserAttributes);
      checkAttributes(pool, 'administrator', written);
      checkMutable(pool, Object.keys(written));
      const { email } = written;
      if (email !== undefined && email !== user.attributes['email']) {
        checkEmailFree(users, pool, user, email);
        // Cognito would keep the address until its code is entered.
        if (written['email_verified'] !== 'true') {
          throw invalidParameter('The local Cognito changes an address only as verified.');
        }
      }
      const attributes = { ...user.attributes, ...written };
      users.put({ ...user, attributes, modifiedAt: clock.now().toISOString() });
      return {};
    },
  }),

  /**
   * "[I]f you set a permanent password, their status becomes Confirmed", whatever it was. No trigger runs.
   * Codes, sessions and the address's verification stay as they are.
   */
  AdminSetUserPassword: operation({
    caller: 'signed',
    request: z.extend(oneUser, {
      Password: member.Password,
      Permanent: z._default(z.boolean(), false),
    }),
    run: ({ clock, pools, users }, { UserPoolId, Username, Password, Permanent }) => {
      if (!Permanent) throw invalidParameter('The local Cognito sets only permanent passwords.');
      const pool = pools.pool(UserPoolId);
      const user = users.existing(pool, Username);
      checkPolicy(pool, Password);
      users.put({
        ...user,
        status: 'CONFIRMED',
        password: createVerifier({ poolName: pool.name, username: user.username }, Password),
        modifiedAt: clock.now().toISOString(),
      });
      return {};
    },
  }),
};

const FILTER = /^\s*"?([\w:]+)"?\s*=\s*"((?:[^"\\]|\\.)*)"\s*$/;

/** Parses `attribute = "value"`. */
function filterOf(filter: string): (user: User) => boolean {
  if (filter.trim() === '') return () => true;
  const [, attribute, quoted] = FILTER.exec(filter) ?? [];
  if (attribute === undefined || quoted === undefined) throw invalidParameter('Error while parsing filter.');
  const read = searchable.get(attribute);
  if (!read) throw invalidParameter(`Invalid search attribute: ${attribute}`);
  const wanted = canonicalName(quoted.replaceAll(/\\(.)/g, '$1'));
  return (user) => canonicalName(read(user) ?? '') === wanted;
}

const searchable = new Map<string, (user: User) => string | undefined>([
  ['sub', (user) => user.attributes['sub']],
  ['email', (user) => user.attributes['email']],
  ['cognito:user_status', (user) => user.status],
]);
