/**
 * The least that a server could do for the same answers: one process, `node:http`, and a DynamoDB client
 * without the document layer. It checks no token, parses with `JSON.parse` alone, logs nothing, and makes the
 * same calls as the product.
 *
 * - `GET /plan`: a consistent GetItem of the row that the header `x-user` names.
 * - `POST /waitlist`: a PutItem on the condition that the address is new.
 * - `POST /webhook`: checks the HMAC, reads the row, asks Stripe for the customer's subscriptions by `fetch`,
 *   and updates the row on the condition of its version. Starts again if the condition fails.
 *
 * Reads `PLANS_TABLE`, `WAITLIST_TABLE`, `STRIPE_API`, `STRIPE_KEY`, `WEBHOOK_SECRET` and the SDK's own
 * variables. Prints its port.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';

interface Answer {
  status: number;
  body: object;
}

interface SubscriptionEvent {
  data: { object: { customer: string; metadata: { user_id: string } } };
}

const { PLANS_TABLE, WAITLIST_TABLE, STRIPE_API, STRIPE_KEY, WEBHOOK_SECRET } = process.env;
const dynamodb = new DynamoDBClient();

const server = createServer((request, response) => {
  answer(request).then(
    ({ status, body }) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    (error: unknown) => {
      console.error(error);
      response.writeHead(500).end();
    },
  );
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' && address?.port);
});

async function answer(request: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString('utf8');
  if (request.url === '/plan') return plan(String(request.headers['x-user']));
  if (request.url === '/waitlist') return join(JSON.parse(body) as { email: string; name: string });
  return receive(body, String(request.headers['stripe-signature']));
}

async function plan(id: string): Promise<Answer> {
  return { status: 200, body: { plan: (await rowOf(id))['plan']?.S } };
}

async function join({ email, name }: { email: string; name: string }): Promise<Answer> {
  const created_at = new Date().toISOString();
  await dynamodb.send(
    new PutItemCommand({
      TableName: WAITLIST_TABLE,
      Item: { email: { S: email }, name: { S: name }, created_at: { S: created_at } },
      ConditionExpression: 'attribute_not_exists(email)',
    }),
  );
  return { status: 201, body: { email, name, created_at } };
}

async function receive(body: string, signature: string): Promise<Answer> {
  const [, time = '', given = ''] = /^t=(\d+),v1=(\w+)$/.exec(signature) ?? [];
  const expected = createHmac('sha256', String(WEBHOOK_SECRET)).update(`${time}.${body}`).digest();
  if (!timingSafeEqual(Buffer.from(given, 'hex'), expected)) return { status: 400, body: {} };
  const { customer, metadata } = (JSON.parse(body) as SubscriptionEvent).data.object;
  for (;;) {
    const row = await rowOf(metadata.user_id);
    const listed = await fetch(`${STRIPE_API}/v1/subscriptions?customer=${customer}&status=all&limit=100`, {
      headers: { authorization: `Bearer ${STRIPE_KEY}` },
    });
    const { data } = (await listed.json()) as { data: { id: string }[] };
    if (await decide(metadata.user_id, String(row['version']?.N), String(data[0]?.id))) {
      return { status: 200, body: { received: true } };
    }
  }
}

async function rowOf(id: string) {
  const { Item = {} } = await dynamodb.send(
    new GetItemCommand({ TableName: PLANS_TABLE, Key: { id: { S: id } }, ConsistentRead: true }),
  );
  return Item;
}

async function decide(id: string, version: string, subscription: string): Promise<boolean> {
  try {
    await dynamodb.send(
      new UpdateItemCommand({
        TableName: PLANS_TABLE,
        Key: { id: { S: id } },
        UpdateExpression:
          'SET #plan = :plan, stripe_subscription_id = :subscription, updated_at = :now, #version = :next',
        ConditionExpression: '#version = :before',
        ExpressionAttributeNames: { '#plan': 'plan', '#version': 'version' },
        ExpressionAttributeValues: {
          ':plan': { S: 'plus' },
          ':subscription': { S: subscription },
          ':now': { S: new Date().toISOString() },
          ':before': { N: version },
          ':next': { N: String(Number(version) + 1) },
        },
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
