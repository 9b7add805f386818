import { backgroundFunctions } from '../../schemas/background-functions.ts';
import { product } from '../../schemas/product/product.ts';
import { Plan } from '../../schemas/rows/plan.ts';
import { cognitoCanaryUser } from '../adapters/cognito/canary-user.ts';
import { log } from '../runtime/log.ts';
import { metric } from '../runtime/metric.ts';
import { type Made, siteUrl as origin, withAdapters } from '../runtime/with-environment.ts';

const NAME = 'schedules/canary';

// Milliseconds. API Gateway gives up after thirty seconds.
const TIME_LIMIT = 30_000;

const adapters = {
  user: cognitoCanaryUser,
  siteUrl: origin,
  fetch: () => (url: string, init: RequestInit) => fetch(url, init),
};
type Dependencies = Made<typeof adapters>;

/**
 * Acts like a user: opens the home page, signs in, and reads the plan, all through public addresses. A
 * failure is logged and counted, not thrown: the canary tries again five minutes later. Its user has its own
 * client, which keeps its sign-ins out of the counts.
 */
export const trySite =
  ({ user, ...site }: Dependencies) =>
  async (): Promise<{ works: boolean }> => {
    let step: 'page' | 'sign-in' | 'plan' = 'page';
    try {
      const page = await get(site, '/');
      if (!(await page.text()).includes(product.name)) throw new Error('The page at / is not ours.');
      step = 'sign-in';
      const token = await user.signIn();
      step = 'plan';
      const answer = await get(site, '/api/plan', { authorization: `Bearer ${token}` });
      Plan.parse(await answer.json());
    } catch (error) {
      log.error('canary-failed', { step }, error);
      metric('CanaryFailures');
      return { works: false };
    }
    metric('CanaryFailures', 0);
    return { works: true };
  };

async function get(
  { siteUrl, fetch }: Pick<Dependencies, 'siteUrl' | 'fetch'>,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const response = await fetch(`${siteUrl}${path}`, { headers, signal: AbortSignal.timeout(TIME_LIMIT) });
  if (!response.ok) throw new Error(`GET ${path} was answered with ${response.status}.`);
  return response;
}

export const handler = withAdapters(backgroundFunctions[NAME], adapters, trySite);
