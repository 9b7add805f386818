import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));

export default defineConfig({
  root,
  test: {
    // A real engine and real stand-ins start in a second or two on two busy cores; nothing here waits on time.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What a function finds in its environment; tests that talk to an engine of their own set the rest.
    env: {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      PLANS_TABLE: 'UserPlans',
      WAITLIST_TABLE: 'Waitlist',
      STRIPE_API: 'https://api.stripe.com',
      STRIPE_SECRET_ID: 'stripe',
      SITE_URL: 'https://selfsame.example',
    },
    projects: ['unit', 'infra', 'integration'].map((name) => ({
      extends: true as const,
      test: { name, include: [`tests/${name}/**/*.test.ts`] },
    })),
  },
});
