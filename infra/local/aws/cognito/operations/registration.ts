import * as z from 'zod/mini';
import { checkAttributes, checkRequired } from '../attributes.ts';
import { guessedName } from '../authentication.ts';
import { codeMismatch } from '../codes.ts';
import { administrator, simulatedDelivery } from '../delivery.ts';
import { emailTaken, invalidParameter, notAuthorized } from '../errors.ts';
import { attributeRecord, member, operation } from '../operation.ts';
import { checkPolicy } from '../passwords.ts';
import { createVerifier } from '../srp.ts';
import { type User, userIdFrom } from '../users.ts';

export const registration = {
  SignUp: operation({
    request: z.object({
      ClientId: member.ClientId,
      Username: member.Username,
      Password: member.Password,
      UserAttributes: z.nullish(member.Attributes),
      ValidationData: z.nullish(member.Attributes),
      ClientMetadata: member.Metadata,
    }),
    run: async ({ clock, delivery, pools, triggers, users }, request) => {
      const client = pools.client(request.ClientId);
      const { pool } = client;
      const metadata = request.ClientMetadata;
      if (pool.settings.AdminCreateUserConfig?.AllowAdminCreateUserOnly) {
        throw notAuthorized('SignUp is not permitted for this user pool');
      }
      if (!request.Username.includes('@')) throw invalidParameter('Username should be an email.');
      checkPolicy(pool, request.Password);
      const given = attributeRecord(request.UserAttributes ?? []);
      const attributes = { ...given, email: given['email'] ?? request.Username };
      checkAttributes(pool, client, attributes);
      checkRequired(pool, attributes);
      const assertFree = (): void => {
        for (const email of [request.Username, attributes.email]) {
          if (users.byEmail(pool, email)) throw emailTaken('UsernameExistsException');
        }
      };

      // The trigger runs before the check for a taken address. This isn't documented, but several projects
      // report it. A trigger may have freed the address.
      const username = userIdFrom();
      await triggers.preSignUp('PreSignUp_SignUp', {
        pool,
        clientId: client.id,
        username,
        metadata,
        attributes,
        validationData: request.ValidationData ? attributeRecord(request.ValidationData) : undefined,
      });
      assertFree();
      const now = clock.now().toISOString();
      const user: User = {
        poolId: pool.id,
        username,
        status: 'UNCONFIRMED',
        attributes: { sub: username, email_verified: 'false', ...attributes },
        password: createVerifier({ poolName: pool.name, username }, request.Password),
        identities: [],
        createdAt: now,
        modifiedAt: now,
      };
      users.put(user);

      const CodeDeliveryDetails = await delivery.sendCode({
        client,
        user,
        source: 'CustomMessage_SignUp',
        metadata,
      });
      return { UserConfirmed: false, UserSub: username, CodeDeliveryDetails };
    },
  }),

  ConfirmSignUp: operation({
    request: z.object({
      ClientId: member.ClientId,
      Username: member.Username,
      ConfirmationCode: member.ConfirmationCode,
      ClientMetadata: member.Metadata,
    }),
    run: async ({ attempts, clock, codes, pools, triggers, users }, request) => {
      const client = pools.client(request.ClientId);
      const user = users.find(client.pool, request.Username);
      if (!user) {
        attempts.count('code', guessedName(client.pool, user, request.Username));
        throw codeMismatch();
      }
      assertUnconfirmed(user);
      codes.redeem(user, request.ConfirmationCode);
      const confirmed: User = {
        ...user,
        status: 'CONFIRMED',
        attributes: { ...user.attributes, email_verified: 'true' },
        modifiedAt: clock.now().toISOString(),
      };
      users.put(confirmed);
      // If the function throws, the call fails and the user stays confirmed, as in Cognito.
      await triggers.postConfirmation({
        client,
        user: confirmed,
        metadata: request.ClientMetadata,
      });
      return {};
    },
  }),

  /**
   * Confirms an account and doesn't verify its address. AWS's article "How do I confirm a user account in
   * Amazon Cognito?" lists the verified attribute as an effect of the code alone.
   */
  AdminConfirmSignUp: operation({
    caller: 'signed',
    request: z.object({
      UserPoolId: member.UserPoolId,
      Username: member.Username,
      ClientMetadata: member.Metadata,
    }),
    run: async ({ clock, pools, triggers, users }, request) => {
      const pool = pools.pool(request.UserPoolId);
      const user = users.existing(pool, request.Username);
      assertUnconfirmed(user);
      const confirmed: User = { ...user, status: 'CONFIRMED', modifiedAt: clock.now().toISOString() };
      users.put(confirmed);
      await triggers.postConfirmation({
        client: administrator(pool),
        user: confirmed,
        metadata: request.ClientMetadata,
      });
      return {};
    },
  }),

  ResendConfirmationCode: operation({
    request: z.object({
      ClientId: member.ClientId,
      Username: member.Username,
      ClientMetadata: member.Metadata,
    }),
    run: async ({ attempts, delivery, pools, users }, { ClientId, ClientMetadata, Username }) => {
      const client = pools.client(ClientId);
      const user = users.find(client.pool, Username);
      if (user && user.status !== 'UNCONFIRMED') throw invalidParameter('User is already confirmed.');
      attempts.count('send', guessedName(client.pool, user, Username));
      if (!user) return { CodeDeliveryDetails: simulatedDelivery(client.pool, Username) };
      const CodeDeliveryDetails = await delivery.sendCode({
        client,
        user,
        source: 'CustomMessage_ResendCode',
        metadata: ClientMetadata,
      });
      return { CodeDeliveryDetails };
    },
  }),
};

/** The message is the one of ConfirmSignUp: several projects' handling of errors names it. */
function assertUnconfirmed({ status }: User): void {
  if (status !== 'UNCONFIRMED') {
    throw notAuthorized(`User cannot be confirmed. Current status is ${status}`);
  }
}
