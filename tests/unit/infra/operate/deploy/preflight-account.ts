import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import { preflight } from '../../../../../infra/operate/deploy/preflight.ts';
import { setUpStripe } from '../../../../../infra/operate/deploy/set-up-stripe.ts';
import { targetOf } from '../../../../../infra/operate/deploy/target.ts';
import type { Stage } from '../../../../../infra/stages/stage.ts';
import { AwsError, type AwsAnswers } from '../../../../fixtures/aws/aws-answers.ts';
import { readyAccount, readyKeys, readyStage } from '../../../../fixtures/aws/ready-account.ts';
import { readyOwner } from '../../../../fixtures/aws/ready-owner.ts';
import { stripeWithout } from '../../../../fixtures/aws/stripe-without-right.ts';
import { useAws } from '../../../../fixtures/aws/use-aws.ts';
import { startStripe, type StripeStandIn } from '../../../../fixtures/worlds/stripe-stand-in.ts';

const SITE = 'https://www.selfsame.test';

/** An answer of AWS that refuses with this code. */
export const refused =
  (code: string, message = 'not found') =>
  (): never => {
    throw new AwsError(code, message);
  };
export const noStack = refused('ValidationError', 'Stack with id selfsame-production does not exist');

/** An account at AWS and one at Stripe in which nothing is missing, and the preflight of production there. */
export function preflightAccount() {
  const aws = useAws();
  let stripe: StripeStandIn;
  let keys: Record<string, object>;
  beforeAll(async () => {
    stripe = await startStripe();
    vi.stubEnv('STRIPE_API', stripe.origin);
    Object.assign(aws.answers, readyAccount(readyKeys('production'), SITE));
    await setUpStripe(targetOf('production', readyStage), `${SITE}/api/stripe/webhook`, () => {});
  });
  afterAll(() => stripe.close());
  beforeEach(() => {
    keys = readyKeys('production');
    aws.calls.length = 0;
    Object.assign(aws.answers, readyAccount(keys, SITE));
  });
  return {
    /** The calls of AWS. */
    calls: () => aws.calls,
    /** The secrets in Secrets Manager. */
    keys: () => keys,
    answer: (changed: AwsAnswers) => Object.assign(aws.answers, changed),

    /** The preflight's findings, without notes, and those about placeholders that stay in the repository. */
    findings: async (changed: AwsAnswers = {}, stage: Partial<Stage> = {}): Promise<string[]> => {
      Object.assign(aws.answers, changed);
      const lines: string[] = [];
      const target = {
        ...targetOf('production', { ...readyStage, ...stage }),
        resolves: async () => false,
        owner: () => readyOwner,
      };
      await preflight(target, (line) => lines.push(line));
      return lines
        .filter((line) => line.startsWith('  '))
        .map((line) => line.trim())
        .filter(
          (line) =>
            !/schemas\/product\/product\.ts|infra\/stages\/stage\.ts|Canonical links|^note:|Change Stripe's/.test(
              line,
            ),
        );
    },

    /** Does something while our key at Stripe lacks the right to a call. */
    withoutRight: async <T>(call: string, act: () => Promise<T>): Promise<T> => {
      const refusing = await stripeWithout(call, stripe.origin);
      vi.stubEnv('STRIPE_API', refusing.origin);
      try {
        return await act();
      } finally {
        vi.stubEnv('STRIPE_API', stripe.origin);
        await refusing.close();
      }
    },
  };
}
