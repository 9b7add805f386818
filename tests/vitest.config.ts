import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));

export default defineConfig({
  root,
  test: {
    // A whole world that is synthesised and bundled takes five seconds alone and half a minute beside another on two busy
    // cores; nothing here waits on time.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    // Vitest leaves one core to itself, which on two cores is half of them.
    maxWorkers: availableParallelism(),
    globalSetup: ['tests/fixtures/run-folder.ts'],
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
      GITHUB_URL: 'https://github.com',
      GITHUB_API: 'https://api.github.com',
      GITHUB_SECRET_ID: 'github',
      OIDC_KEY_ID: 'key',
      OIDC_SECRET_ID: 'github-oidc',
      COGNITO_CALLBACK: 'https://selfsame.auth.us-east-1.amazoncognito.com/oauth2/idpresponse',
      USER_POOL_ID: 'us-east-1_Pool',
      MAIL_FROM: 'Selfsame <no-reply@selfsame.example>',
    },
    projects: ['unit', 'infra', 'integration', 'simulation'].map((name) => ({
      extends: true as const,
      test: { name, include: [`tests/${name}/**/*.test.ts`] },
    })),
  },
});
