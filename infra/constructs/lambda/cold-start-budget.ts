import type { Metafile } from 'esbuild';

/** Budgets in kB (1,000 bytes), minified, by handler: about 3% above what the bundle loads now. */
export const budgets: Readonly<Record<string, number>> = {
  'api/plan': 297,
  'api/create-checkout-session': 300,
  'api/session-status': 295,
  'api/cancel-subscription': 327,
  'api/renew-subscription': 297,
  'api/billing': 295,
  'api/billing-portal': 283,
  'api/change-password': 61,
  'api/change-email': 293,
  'api/confirm-email': 336,
  'api/undo-email': 345,
  'api/confirm-sign-up': 251,
  'api/contract-mail': 281,
  'api/end-contract': 340,
  'api/sessions': 305,
  'api/end-session': 268,
  'api/change-provider': 300,
  'api/export': 294,
  'api/delete-account': 354,
  'api/waitlist': 254,
  'api/relay-code': 247,
  'api/token': 289,
  'api/revoke': 286,
  'api/csp-report': 37,
  'api/provider-reminder': 280,
  'github-oidc/github-oidc': 80,
  'webhooks/stripe-webhook': 333,
  'schedules/canary': 38,
  'schedules/expiry-sweep': 292,
  'schedules/billing-tasks': 360,
  'schedules/event-catch-up': 304,
  'schedules/idle-accounts': 345,
  'schedules/unconfirmed-sweep': 244,
  'schedules/user-export': 35,
  'schedules/plan-agreement': 283,
  'triggers/post-confirmation': 301,
  'triggers/custom-message': 34,
  'triggers/pre-sign-up': 299,
  'triggers/pre-token-generation': 231,
  'events/undeliverable-mail': 255,
};

// The budget of other handlers. Static imports of DynamoDB and Stripe exceed it.
const DEFAULT_BUDGET = 500;

/** The number of inputs that an error lists. */
const LISTED = 8;

/**
 * Throws if a bundle loads more at a cold start than its budget allows. Counts the output that the entry
 * imports statically, since dynamic imports aren't loaded at the start.
 *
 * `entry`: the handler below `functions/`, like `api/plan`. `metafile`: from an esbuild build of this handler
 * alone.
 */
export function checkColdStart(entry: string, { outputs }: Metafile): void {
  const loaded = loadedAtStart(outputs);
  const bytes = sum(loaded.map((file) => outputs[file]?.bytes ?? 0));
  const budget = (budgets[entry] ?? DEFAULT_BUDGET) * 1000;
  if (bytes <= budget) return;
  const largest = largestPackages(loaded.flatMap((file) => Object.entries(outputs[file]?.inputs ?? {})));
  throw new Error(
    `functions/${entry}.ts loads ${inKilobytes(bytes)} kB at a cold start, ${inKilobytes(bytes - budget)} kB more than its budget. ` +
      'Import on demand, with import(), what few calls use, or raise the budget in infra/constructs/lambda/cold-start-budget.ts. ' +
      `The largest parts: ${largest.join(', ')}.`,
  );
}

/** The outputs that the entry point reaches through static imports. */
function loadedAtStart(outputs: Metafile['outputs']): string[] {
  const entry = Object.keys(outputs).find((file) => outputs[file]?.entryPoint && file.endsWith('/index.mjs'));
  const loaded = new Set(entry ? [entry] : []);
  // Iterating a set includes the values added during the loop.
  for (const file of loaded) {
    for (const { path, kind } of outputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && outputs[path]) loaded.add(path);
    }
  }
  return [...loaded];
}

/** `@smithy/core 121 kB`: dependencies by package and our own code by file, largest first. */
function largestPackages(inputs: readonly [file: string, { bytesInOutput: number }][]): string[] {
  const sizes = new Map<string, number>();
  for (const [file, { bytesInOutput }] of inputs) {
    const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? file;
    sizes.set(name, (sizes.get(name) ?? 0) + bytesInOutput);
  }
  return [...sizes]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, LISTED)
    .map(([name, bytes]) => `${name} ${inKilobytes(bytes)} kB`);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const inKilobytes = (bytes: number): string => (bytes / 1000).toFixed(1);
