import type { Metafile } from 'esbuild';

/** In kB (1,000 bytes), minified, by handler. About 3 % above what its bundle loads now. */
export const budgets: Readonly<Record<string, number>> = {
  'api/plan': 284,
  'api/create-checkout-session': 287,
  'api/session-status': 282,
  'api/cancel-subscription': 285,
  'api/renew-subscription': 284,
  'api/billing': 273,
  'api/update-card': 273,
  'api/change-password': 41,
  'api/change-email': 288,
  'api/confirm-email': 317,
  'api/undo-email': 314,
  'api/export': 284,
  'api/delete-account': 310,
  'api/waitlist': 251,
  'api/csp-report': 33,
  'github-oidc/github-oidc': 79,
  'webhooks/stripe-webhook': 285,
  'schedules/canary': 35,
  'schedules/expiry-sweep': 279,
  'schedules/billing-tasks': 285,
  'schedules/event-catch-up': 287,
  'schedules/idle-accounts': 325,
  'schedules/unconfirmed-sweep': 239,
  'schedules/user-export': 73,
  'schedules/unpaid-plus': 274,
  'triggers/post-confirmation': 280,
  'triggers/custom-message': 30,
  'triggers/pre-sign-up': 267,
  'events/returned-mail': 250,
};

// For a handler without a budget of its own. DynamoDB and Stripe imported statically exceed it.
const DEFAULT_BUDGET = 500;

/** How many inputs a refusal lists. */
const LISTED = 8;

/**
 * Throws if a bundle loads more at a cold start than its budget allows. `entry`: the handler below
 * `functions/`, like `api/plan`. `metafile`: esbuild's, of a build with this handler alone. Counts the output
 * that the entry imports statically: what it imports on demand isn't loaded at the start.
 */
export function checkColdStart(entry: string, { outputs }: Metafile): void {
  const loaded = loadedAtStart(outputs);
  const bytes = sum(loaded.map((file) => outputs[file]?.bytes ?? 0));
  const budget = (budgets[entry] ?? DEFAULT_BUDGET) * 1000;
  if (bytes <= budget) return;
  const largest = largestPackages(loaded.flatMap((file) => Object.entries(outputs[file]?.inputs ?? {})));
  throw new Error(
    `functions/${entry}.ts loads ${inKilobytes(bytes)} kB at a cold start, ${inKilobytes(bytes - budget)} kB more than its budget. ` +
      'Import on demand, with import(), what few calls use, or raise the budget in infra/constructs/cold-start-budget.ts. ' +
      `The largest parts: ${largest.join(', ')}.`,
  );
}

/** The outputs that the entry point reaches by static imports. */
function loadedAtStart(outputs: Metafile['outputs']): string[] {
  const entry = Object.keys(outputs).find((file) => outputs[file]?.entryPoint && file.endsWith('/index.mjs'));
  const loaded = new Set(entry ? [entry] : []);
  // A set iterates over what is added meanwhile.
  for (const file of loaded) {
    for (const { path, kind } of outputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && outputs[path]) loaded.add(path);
    }
  }
  return [...loaded];
}

/** `@smithy/core 121 kB`, by package for dependencies and by file for our own code, largest first. */
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
