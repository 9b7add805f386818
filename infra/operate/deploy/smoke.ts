import { setTimeout } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import {
  AdminCreateUserCommand,
  AdminSetUserPasswordCommand,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
import { InvokeCommand } from '@aws-sdk/client-lambda';
import { Amplify } from 'aws-amplify';
import { fetchAuthSession, signIn } from 'aws-amplify/auth';
import { cognitoUserPoolsTokenProvider } from 'aws-amplify/auth/cognito';
import { sharedInMemoryStorage } from 'aws-amplify/utils';
import { Stripe } from 'stripe';
import { product } from '../../../schemas/product/product.ts';
import { SiteConfig } from '../../../schemas/config/site-config.ts';
import { Plan } from '../../../schemas/rows/plan.ts';
import { sentenceOf } from './sentence-of.ts';
import { functionIn, stackResources } from './stack-resources.ts';
import { storedStripe } from './stripe-client.ts';
import type { Target } from './target.ts';
import { differencesOf, endpointsOf } from './webhook-endpoint.ts';

// CloudFront's edge locations may take a moment to know a change.
const TRIES = 4;
const PAUSE = 15_000;

interface Smoke {
  target: Target;
  outputs: Record<string, string>;
  /** @default waits */
  pause?: (milliseconds: number) => Promise<unknown>;
  say: (line: string) => void;
}

/**
 * Tries the deployed stage as a user and as Stripe would. Resolves with whether all of it works. Without the
 * domain's DNS record, CloudFront's own address is tried, where nobody can sign in.
 */
export async function trySmoke({ target, outputs, pause = setTimeout, say }: Smoke): Promise<boolean> {
  const { domain, canary } = target.stage;
  const isReachable = !domain || (await target.resolves(domain.name));
  if (!isReachable) say(`${domain?.name} has no address in DNS yet, so CloudFront's own address is tried.`);
  const site = isReachable ? (outputs['SiteUrl'] ?? '') : `https://${outputs['DistributionDomain']}`;
  const checks: Record<string, () => Promise<unknown>> = {
    'home page': async () => {
      if (!(await textOf(`${site}/`)).includes(product.name)) throw new Error('The page is not ours.');
    },
    'config.json': async () => {
      const { userPoolId } = await configOf(site);
      if (userPoolId !== outputs['UserPoolId']) throw new Error('It names another user pool.');
    },
    'plan without a token': () => textOf(`${site}/api/plan`, {}, 401),
    'forged webhook': () => textOf(`${site}/api/stripe/webhook`, { method: 'POST', body: '{}' }, 400),
    ...(isReachable && {
      'sign-in and plan': () => (canary ? tryCanary(target) : trySignIn(target, site)),
    }),
    "Stripe's webhook endpoint": () => tryEndpoint(target, outputs['WebhookUrl'] ?? ''),
  };
  let works = true;
  for (const [name, check] of Object.entries(checks)) {
    const problem = await firstSuccess(check, pause);
    works &&= problem === undefined;
    say(`Smoke check, ${name}: ${problem ?? 'works'}`);
  }
  return works;
}

const configOf = async (site: string): Promise<SiteConfig> =>
  SiteConfig.parse(JSON.parse(await textOf(`${site}/config.json`)));

/** Undefined once a try succeeds, else the last failure in words. */
async function firstSuccess(
  check: () => Promise<unknown>,
  pause: (milliseconds: number) => Promise<unknown>,
): Promise<string | undefined> {
  let problem = '';
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (tries > 0) await pause(PAUSE);
    try {
      await check();
      return undefined;
    } catch (thrown) {
      problem = sentenceOf(thrown);
    }
  }
  return problem;
}

async function textOf(url: string, request: RequestInit = {}, expected = 200): Promise<string> {
  const response = await fetch(url, { ...request, redirect: 'error', signal: AbortSignal.timeout(30_000) });
  const text = await response.text();
  if (response.status !== expected) throw new Error(`${url} answered ${response.status}, not ${expected}.`);
  return text;
}

/** Runs the canary now: it opens the home page, signs in, and reads its plan. */
async function tryCanary(target: Target): Promise<void> {
  const FunctionName = functionIn(await stackResources(target), 'OperationCanaryFunction');
  const { Payload } = await target.lambda.send(new InvokeCommand({ FunctionName }));
  const answer = Payload ? Buffer.from(Payload).toString() : '';
  if (answer !== '{"works":true}') throw new Error(`The canary answered ${answer}: see its log.`);
}

/** Signs in as the site does, as a user of its own with a new password, and reads the plan. */
async function trySignIn({ cognito }: Target, site: string): Promise<void> {
  const { userPoolId, userPoolClientId, userPoolEndpoint } = await configOf(site);
  const username = `smoke@${product.mailDomain}`;
  const password = randomBytes(24).toString('base64url');
  const user = { UserPoolId: userPoolId, Username: username };
  const attributes = { email: username, email_verified: 'true', name: 'Smoke check' };
  try {
    const UserAttributes = Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }));
    await cognito.send(new AdminCreateUserCommand({ ...user, MessageAction: 'SUPPRESS', UserAttributes }));
  } catch (error) {
    if (!(error instanceof UsernameExistsException)) throw error;
  }
  await cognito.send(new AdminSetUserPasswordCommand({ ...user, Password: password, Permanent: true }));
  Amplify.configure({ Auth: { Cognito: { userPoolId, userPoolClientId, userPoolEndpoint } } });
  cognitoUserPoolsTokenProvider.setKeyValueStorage(sharedInMemoryStorage);
  await sharedInMemoryStorage.clear();
  await signIn({ username, password });
  const { tokens } = await fetchAuthSession();
  const plan = await textOf(`${site}/api/plan`, {
    headers: { authorization: `Bearer ${String(tokens?.accessToken)}` },
  });
  Plan.parse(JSON.parse(plan));
}

async function tryEndpoint(target: Target, url: string): Promise<void> {
  const { stripe } = await storedStripe(target);
  const endpoints = await endpointsOf(stripe, target.stageName, url);
  const endpoint = endpoints.find(({ metadata }) => metadata['replaced'] === undefined);
  if (!endpoint) throw new Error(`Stripe has no endpoint for ${url}.`);
  const differences = differencesOf(endpoint, url, Stripe.API_VERSION);
  if (differences.length > 0) throw new Error(`${endpoint.id}: ${differences.join(', ')}.`);
}
