import type { Metafile } from 'esbuild';

/** Modules that a bundle may not load at a cold start. */
interface Rule {
  /** Their files. */
  files: RegExp;
  /** The handlers that may load them, by their entries such as `api/plan`. @default none */
  except?: RegExp;
  /** The advice of the error. */
  instead: string;
}

const WITHOUT_DATABASE = /^(?:api\/csp-report|github-oidc\/.*|schedules\/canary)$/;
const WITH_DATABASE = new RegExp(`^(?!${WITHOUT_DATABASE.source.slice(1)})`);

const rules: readonly Rule[] = [
  {
    files: /node_modules\/(?:stripe|@aws-sdk\/client-(?!dynamodb\/)[\w-]+)\//,
    instead: 'Import it on demand, with import(), where it is called',
  },
  {
    files: /node_modules\/@aws-sdk\/(?:client|lib)-dynamodb\//,
    except: WITH_DATABASE,
    instead: 'Import the adapter on demand, with import(): this handler needs no database',
  },
  {
    files: /node_modules\/jose\//,
    except: /^(?:api\/(?:token|revoke)|github-oidc\/.*)$/,
    instead: 'Import it on demand, with import(): only handlers of tokens need it in each call',
  },
  { files: /node_modules\/zod\/v4\/classic\//, instead: "Import 'zod/mini'" },
];

/**
 * The most that each class of handlers may load, in kB (1,000 bytes), minified. DynamoDB's client and its
 * document client come to 200 kB. zod and the schemas come to 40 kB. The rest is our own code: somebody waits
 * for a trigger at every sign-in, so that it has less. A handler belongs to the first class that fits.
 */
const classes: readonly { name: string; entries: RegExp; kilobytes: number }[] = [
  { name: 'a handler without database', entries: WITHOUT_DATABASE, kilobytes: 90 },
  { name: 'a trigger', entries: /^triggers\//, kilobytes: 310 },
  { name: 'a handler', entries: /^/, kilobytes: 370 },
];

/** The number of inputs that an error lists. */
const LISTED = 8;

/**
 * Throws if a bundle loads a forbidden module at a cold start, or more than its class allows. Looks at the
 * output that the entry imports statically, since dynamic imports aren't loaded at the start.
 *
 * `entry`: the handler below `functions/`, like `api/plan`. `metafile`: from an esbuild build of this handler
 * alone.
 */
export function checkColdStart(entry: string, { inputs, outputs }: Metafile): void {
  const loaded = loadedAtStart(outputs);
  const files = loaded.flatMap((file) => Object.entries(outputs[file]?.inputs ?? {}));
  for (const rule of rules) {
    const [forbidden] = files.find(([file]) => rule.files.test(file)) ?? [];
    if (forbidden === undefined || rule.except?.test(entry)) continue;
    const name = packageOf(forbidden);
    const importer = importerOf(
      name,
      files.map(([file]) => file),
      inputs,
    );
    throw new Error(
      `functions/${entry}.ts loads ${name} at a cold start${importer ? `, through ${importer}` : ''}. ` +
        `${rule.instead}, or change the rule in infra/constructs/lambda/cold-start-budget.ts.`,
    );
  }
  const bytes = loaded.reduce((total, file) => total + (outputs[file]?.bytes ?? 0), 0);
  const { name = '', kilobytes = 0 } = classes.find(({ entries }) => entries.test(entry)) ?? {};
  if (bytes <= kilobytes * 1000) return;
  throw new Error(
    `functions/${entry}.ts loads ${inKilobytes(bytes)} kB at a cold start, ${inKilobytes(bytes - kilobytes * 1000)} kB more than ${name} may. ` +
      'Import on demand, with import(), what few calls use, or raise the class in infra/constructs/lambda/cold-start-budget.ts. ' +
      `The largest parts: ${largestPackages(files).join(', ')}.`,
  );
}

/** The file of ours among the loaded files that imports a package statically. */
const importerOf = (name: string, loaded: readonly string[], inputs: Metafile['inputs']) =>
  loaded.find(
    (file) =>
      !file.includes('node_modules/') &&
      inputs[file]?.imports.some(({ path, kind }) => kind === 'import-statement' && packageOf(path) === name),
  );

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

/** A dependency's package, or a file of ours. */
const packageOf = (file: string): string => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? file;

/** `@smithy/core 121 kB`: dependencies by package and our own code by file, largest first. */
function largestPackages(inputs: readonly [file: string, { bytesInOutput: number }][]): string[] {
  const sizes = new Map<string, number>();
  for (const [file, { bytesInOutput }] of inputs) {
    const name = packageOf(file);
    sizes.set(name, (sizes.get(name) ?? 0) + bytesInOutput);
  }
  return [...sizes]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, LISTED)
    .map(([name, bytes]) => `${name} ${inKilobytes(bytes)} kB`);
}

const inKilobytes = (bytes: number): string => (bytes / 1000).toFixed(1);
