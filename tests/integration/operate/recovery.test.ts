import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { markOf } from '../../../functions/domain/mark.ts';
import { STAGE } from '../../fixtures/fakes/stage.ts';
import { startWorld, type World } from '../../../infra/local/start-world.ts';
import type { User as PoolUser } from '../../../infra/local/aws/cognito/users.ts';
import { cognitoUserList } from '../../../functions/adapters/cognito/user-list.ts';
import { cognitoUserPool } from '../../../functions/adapters/cognito/user-pool.ts';
import { addressesTable } from '../../../functions/adapters/dynamodb/addresses-table.ts';
import { readClaims } from '../../../infra/operate/recover/claims.ts';
import { recoverPlans } from '../../../infra/operate/recover/recover-plans.ts';
import { restoreTable } from '../../../infra/operate/recover/restore-table.ts';
import { restoreUsers, usersIn } from '../../../infra/operate/recover/restore-users.ts';
import { usersSince } from '../../../infra/operate/recover/users-since.ts';
import { stages } from '../../../infra/stages/stages.ts';
import { type BackedUpUser, USER_EXPORT_PARTS, userExportPart } from '../../../schemas/rows/user-backup.ts';
import { answered } from '../../fixtures/aws/answered-client.ts';
import { clientId } from '../../fixtures/worlds/cognito-stand-in.ts';
import {
  password,
  poolId,
  type CallRecordingProduct,
  startCallRecordingProduct,
  type User,
} from '../../fixtures/worlds/call-recording-product.ts';
import { restoringDynamoDb } from '../../fixtures/aws/restoring-dynamodb.ts';

const MINUTE = 60_000;
const PLAN_AGAIN = { status: 200, body: { plan: 'plus' } };

let product: CallRecordingProduct;
let cognito: CognitoIdentityProviderClient;
let s3: World<'aws'>;
let lines: string[];
const say = (line: string) => void lines.push(line);

beforeAll(async () => {
  product = await startCallRecordingProduct();
  cognito = new CognitoIdentityProviderClient({ endpoint: product.cognito.origin });
  const Bucket = { Type: 'AWS::S3::Bucket', Properties: { BucketName: 'backups' } };
  s3 = await startWorld({ aws: { resources: { Bucket } } });
  vi.stubEnv('AWS_ENDPOINT_URL_S3', s3.aws.endpoints['S3']);
  vi.stubEnv('BACKUP_BUCKET', 'backups');
  vi.stubEnv('BACKUP_ACCOUNT', '111122223333');
});
afterAll(async () => {
  await s3.stop();
  await product.stop();
});
beforeEach(() => {
  lines = [];
  vi.spyOn(console, 'info').mockImplementation(() => {});
  losePool();
});
// The next test would otherwise find rows of users whose pool is lost.
afterEach(() => product.clear());
const poolUsers = () => product.cognito.store.collection<PoolUser>('cognito/users');

/** A user with an account, a row and Plus. */
async function subscriber(): Promise<User> {
  const user = await product.signUp();
  await product.ask('plan', user);
  await buy(user);
  return user;
}

async function buy(user: User): Promise<void> {
  const session = await product.openCheckout(user);
  await product.pay(session);
  expect(await product.ask('session-status', user, { query: { session_id: session } })).toMatchObject({
    status: 200,
  });
}

/** Deploys: functions restart with this table in their variables. */
function deployWith(plansTable: string): void {
  vi.stubEnv('USER_PLANS_TABLE', plansTable);
  product.endEnvironments();
}

const recovery = (isWriting: boolean, plansTable = 'UserPlans') =>
  recoverPlans({
    dynamodb: product.dynamodb,
    stripe: product.stripe.stripe,
    stage: STAGE,
    pool: cognitoUserPool(poolId),
    users: cognitoUserList(poolId),
    plansTable,
    stripeWorkTable: 'StripeWork',
    isWriting,
    say,
    pace: async () => {},
  });

const planOf = async (user: User) => product.ask('plan', user);

test('a table that was restored under another name is put in use, and what came after is recovered', async () => {
  const before = await subscriber();
  const backups = restoringDynamoDb(process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
  const bought = await product.signUp();
  await planOf(bought);
  const deleted = await product.signUp();
  await planOf(deleted);
  await backups.snapshot('UserPlans', new Date());

  // After the moment that the table goes back to.
  await product.advance(5 * MINUTE);
  await buy(bought);
  const since = await subscriber();
  expect((await product.ask('delete-account', deleted, { body: {} })).status).toBe(200);
  // A bad deployment.
  await product.changeRow(before, { plan: 'free', stripe_subscription_id: 'sub_wrong' });

  const cloudFormation = answered(new CloudFormationClient(), {
    ListStackResourcesCommand: () => ({
      StackResourceSummaries: [
        { LogicalResourceId: 'DataUserPlans0A1B2C3D', PhysicalResourceId: 'UserPlans' },
      ],
    }),
  });
  const target = {
    cloudFormation,
    dynamodb: backups.client,
    stackName: 'selfsame-production',
    stage: stages.production,
    stageName: 'production',
  } as const;
  const restoration = {
    target,
    table: 'UserPlans',
    at: new Date(Date.now() - MINUTE),
    say,
    pause: async () => {},
  } as const;
  const name = await restoreTable({ ...restoration, isWriting: false });
  expect(lines.at(-1)).toBe('Nothing was changed. Add --write to do it.');
  expect(await restoreTable({ ...restoration, isWriting: true })).toBe(name);
  expect(lines.at(-1)).toBe(`  restoredTables: { UserPlans: '${name}' },`);
  expect(backups.settings).toMatchObject([
    {
      operation: 'UpdateContinuousBackups',
      input: { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } },
    },
    { operation: 'UpdateTable', input: { TableName: name, DeletionProtectionEnabled: true } },
  ]);
  // Again, after a crash for example.
  expect(await restoreTable({ ...restoration, isWriting: true })).toBe(name);

  deployWith(name);
  expect(await planOf(before)).toMatchObject(PLAN_AGAIN);
  expect(await planOf(bought)).toMatchObject({ body: { plan: 'free' } });

  expect(await recovery(false, name)).toEqual({ linked: 1, made: 1, removed: 1, unclear: 0 });
  expect(await recovery(true, name)).toEqual({ linked: 1, made: 1, removed: 1, unclear: 0 });
  await product.run('schedules/event-catch-up');
  for (const user of [before, bought, since]) expect(await planOf(user)).toMatchObject(PLAN_AGAIN);
  const { Item } = await product.dynamodb.send(new GetCommand({ TableName: name, Key: { id: deleted.id } }));
  expect(Item).toBeUndefined();
  expect(await recovery(true, name)).toEqual({ linked: 0, made: 0, removed: 0, unclear: 0 });
  deployWith('UserPlans');
});

/** Fetches the newest export into a folder, and reads it. */
async function exportedUsers(): Promise<BackedUpUser[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'selfsame-users-'));
  const day = new Date().toISOString().slice(0, 10);
  try {
    for (const digit of USER_EXPORT_PARTS) {
      const address = `${s3.aws.endpoints['S3']}/backups/${userExportPart(poolId, day, digit)}`;
      const answer = await fetch(address, {
        headers: { authorization: 'AWS4-HMAC-SHA256 Credential=local' },
      });
      writeFileSync(path.join(folder, `${digit}.jsonl.gz`), Buffer.from(await answer.arrayBuffer()));
    }
    return [...usersIn(folder)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs the command with the tables' current content. */
async function restore(exported: readonly BackedUpUser[], isWriting = true) {
  const tables = {
    dynamodb: product.dynamodb,
    plansTable: 'UserPlans',
    addressChangesTable: 'AddressChanges',
  };
  const claims = await readClaims({ ...tables, addressesTable: 'Addresses' });
  const since = await usersSince(tables, claims, exported);
  return restoreUsers({
    ...tables,
    addresses: addressesTable('Addresses'),
    cognito,
    stripe: product.stripe.stripe,
    stage: STAGE,
    pool: cognitoUserPool(poolId),
    poolId,
    claims,
    users: [...exported, ...since],
    isWriting,
    say,
    pace: async () => {},
  });
}
const NOBODY = { restored: 0, there: 0, deleted: 0, unverified: 0, unclear: 0, failed: 0 };

function losePool(): void {
  for (const user of poolUsers().list()) poolUsers().delete(`${poolId}/${user.username}`);
}

test('a lost pool is restored from the export: users set a password and have their plan', async () => {
  const ada = await subscriber();
  const free = await product.signUp();
  await planOf(free);
  // An account that a provider has created.
  const octo = await product.signUp();
  await planOf(octo);
  const users = poolUsers();
  users.delete(`${poolId}/${octo.id}`);
  const username = product.makeProviderAccount(octo);
  const account = users.get(`${poolId}/${username}`);
  if (!account) throw new Error('There is no such account.');
  const identity = { providerName: 'GitHub', providerType: 'OIDC' as const, userId: '77', issuer: null };
  users.put(`${poolId}/${username}`, {
    ...account,
    attributes: { ...account.attributes, sub: octo.id },
    identities: [{ ...identity, primary: true, dateCreated: 0 }],
  });
  await product.giveAddress(ada, ada.id);
  await product.giveAddress(octo, username);
  await product.beginSignUp();
  expect(await product.run('schedules/user-export')).toMatchObject({ unfinished: false });
  const exported = await exportedUsers();
  expect(new Set(exported.map(({ sub }) => sub))).toEqual(new Set([ada.id, free.id, octo.id]));
  const late = await product.signUp();
  await planOf(late);
  await product.giveAddress(late, late.id);

  losePool();
  expect(await restore(exported, false)).toEqual({ ...NOBODY, restored: 4 });
  expect(users.list()).toEqual([]);
  expect(await restore(exported)).toEqual({ ...NOBODY, restored: 4 });
  // Repeated: the four are found under their earlier names or their new ones.
  expect(await restore(exported)).toEqual({ ...NOBODY, there: 7 });
  expect(users.list()).toHaveLength(4);
  expect(product.cognito.mail.list().filter(({ to }) => to === free.email)).toHaveLength(1);

  await product.cognito.call('ForgotPassword', { ClientId: clientId, Username: ada.email });
  const { code } = product.cognito.lastMail(ada.email);
  const reset = { ClientId: clientId, Username: ada.email, ConfirmationCode: code, Password: password };
  expect((await product.cognito.call('ConfirmForgotPassword', reset)).status).toBe(200);
  const again = await product.signIn(ada);
  expect(again.id).not.toBe(ada.id);
  expect(await planOf(again)).toMatchObject(PLAN_AGAIN);
  expect(await product.rowOf(ada)).toBeUndefined();

  // Events of before name the old id. Each customer is reconciled in their place.
  const [subscription] = await product.subscriptionsOf(again);
  await product.stripe.stripe.subscriptions.update(String(subscription?.id), { cancel_at_period_end: true });
  expect(await recovery(true)).toEqual({ linked: 0, made: 0, removed: 0, unclear: 0 });
  await product.run('schedules/event-catch-up');
  const ends = expect.any(String) as string;
  expect(await product.rowOf(again)).toMatchObject({ plan: 'plus', plan_expires_at: ends });

  // A sign-in with GitHub finds its account by this identity.
  const restored = users.list().find(({ attributes }) => attributes['email'] === octo.email);
  expect(restored).toMatchObject({
    status: 'CONFIRMED',
    identities: [{ providerName: 'GitHub', userId: '77' }],
  });
  const { Item } = await product.dynamodb.send(
    new GetCommand({ TableName: 'Addresses', Key: { email: octo.email } }),
  );
  expect(Item).toMatchObject({ owner: restored?.username });
});

const asExported = ({ id, email }: User): BackedUpUser => ({
  sub: id,
  username: id,
  email,
  email_verified: true,
  enabled: true,
  created_at: '2030-01-01T00:00:00.000Z',
  identities: [],
});
const accountWith = (email: string) =>
  poolUsers()
    .list()
    .find(({ attributes }) => attributes['email'] === email);

test('an address that has changed hands since the export brings nobody the plan of another', async () => {
  const ada = await subscriber();
  const moved = { ...ada, email: 'ada-has-moved@example.com' };
  const bob = { ...(await product.signUp()), email: ada.email };
  await planOf(bob);
  await product.giveAddress(moved, ada.id);
  await product.giveAddress(bob, bob.id);
  // Hers has been claimed by an account of which nothing else is known.
  const eve = await subscriber();
  await product.giveAddress(eve, 'github_666');
  // Both addresses are claimed, and nothing says which came later.
  const two = await subscriber();
  await product.giveAddress(two, two.id);
  await product.giveAddress({ ...two, email: 'two-has-moved@example.com' }, two.id);

  losePool();
  lines = [];
  const exported = [ada, eve, two].map(asExported);
  expect(await restore(exported)).toEqual({ ...NOBODY, restored: 2, unclear: 2 });
  expect(lines).toContain(`${eve.id}: Its address now belongs to github_666.`);
  expect(accountWith(eve.email)).toBeUndefined();
  expect(accountWith(two.email)).toBeUndefined();
  const rowAt = (email: string) => product.rowOf({ id: String(accountWith(email)?.attributes['sub']) });
  expect(await rowAt(moved.email)).toMatchObject({ plan: 'plus' });
  expect(await rowAt(ada.email)).toMatchObject({ plan: 'free' });
  // Eve is in the export alone: nothing may be moved before another account's claim is seen.
  expect(await product.rowOf(eve)).toMatchObject({ plan: 'plus' });
});

test('an account that was deleted since the export stays deleted, and one that was locked stays locked', async () => {
  const [gone, locked] = [await product.signUp(), await product.signUp()];
  await planOf(locked);
  await product.giveAddress(locked, locked.id);
  await product.dynamodb.send(
    new PutCommand({
      TableName: 'AddressChanges',
      Item: {
        id: locked.id,
        version: 2,
        sent: [],
        earlier: [],
        current: locked.email,
        locked: true,
        expires_at: 2_000_000_000,
      },
    }),
  );
  losePool();
  expect(await restore([gone].map(asExported))).toEqual({ ...NOBODY, restored: 1, deleted: 1 });
  expect(accountWith(gone.email)).toBeUndefined();
  expect(accountWith(locked.email)).toMatchObject({ disabled: true });
});

test('a sign-up that was only begun in the new pool blocks nobody', async () => {
  const ada = await subscriber();
  await product.giveAddress(ada, ada.id);
  losePool();
  const { body } = await product.cognito.call('SignUp', {
    ClientId: clientId,
    Username: ada.email,
    Password: 'password-of-a-stranger',
  });
  expect(await restore([asExported(ada)])).toEqual({ ...NOBODY, restored: 1 });
  const account = accountWith(ada.email);
  expect(account).toMatchObject({ status: 'CONFIRMED' });
  expect(account?.attributes['sub']).not.toBe(body.UserSub);
  expect(await product.rowOf({ id: String(account?.attributes['sub']) })).toMatchObject({ plan: 'plus' });
});

test('a user who has bought again in the new pool is left to a person, and nothing changes at Stripe', async () => {
  const ada = await subscriber();
  await product.giveAddress(ada, ada.id);
  const customer = String((await product.rowOf(ada))?.['billing_customer_id']);
  losePool();
  await product.cognito.confirmedUser(ada.email);
  const again = await product.signIn(ada);
  await planOf(again);
  await buy(again);
  lines = [];
  expect(await restore([asExported(ada)])).toMatchObject({ restored: 0, failed: 1 });
  expect(lines[0]).toContain('has bought since');
  expect(await product.stripe.stripe.customers.retrieve(customer)).toMatchObject({
    metadata: markOf(STAGE, ada.id),
  });
});

test('plans are not recovered against a pool that has lost its users', async () => {
  for (let count = 0; count < 20; count += 1) {
    await product.dynamodb.send(
      new PutCommand({ TableName: 'UserPlans', Item: { id: `nobody-${count}`, plan: 'free', version: 1 } }),
    );
  }
  await expect(recovery(true)).rejects.toThrow('Restore the users first.');
});
