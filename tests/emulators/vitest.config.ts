import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('../..', import.meta.url));
const emulator = fileURLToPath(new URL('cognito-local.ts', import.meta.url));

export default defineConfig({
  root,
  resolve: { alias: [{ find: /^.*\/infra\/local\/aws\/cognito\/service\.ts$/, replacement: emulator }] },
  plugins: [
    {
      name: 'soft-assertions',
      // After a difference, a test goes on to its next assertion.
      transform: (code, id) =>
        id.includes('/tests/integration/cognito/')
          ? code.replaceAll(/\bexpect\(/g, 'expect.soft(')
          : undefined,
    },
  ],
  test: {
    include: ['tests/integration/cognito/**/*.test.ts'],
    exclude: ['**/hosted*.test.ts', '**/conformance-amplify.test.ts'],
    setupFiles: ['tests/emulators/compared-test.ts'],
    reporters: ['./tests/emulators/differences-reporter.ts'],
    testTimeout: 90_000,
    hookTimeout: 90_000,
    maxWorkers: 2,
    globalSetup: ['tests/fixtures/repository/run-folder.ts'],
    env: { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' },
  },
});
