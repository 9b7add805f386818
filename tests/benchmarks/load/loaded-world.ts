import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import * as z from 'zod/mini';
import { bundleOptions } from '../../../infra/constructs/bundle.ts';
import { synthesiseStaging } from '../../../infra/local/stack/synthesis.ts';
import { TemplateDocument } from '../../../infra/local/stack/template-document.ts';
import { World } from '../../fixtures/world.ts';
import { evaluate, Inspector, type Thread } from './inspector.ts';

const root = path.resolve(import.meta.dirname, '../../..');
// Requests a second, far above what a machine serves.
const UNTHROTTLED = { ThrottlingRateLimit: 1_000_000, ThrottlingBurstLimit: 1_000_000 };

const AppFunction = z.object({
  Description: z.string(),
  Code: z.object({ S3Key: z.string() }),
});
const FunctionEnvironment = z.record(z.string(), z.string());

export interface LoadedWorld {
  world: World;
  inspector: Inspector;
  /** The running environments of a function, by its description, like `GET /api/plan`. */
  environmentsOf: (description: string) => Promise<Thread[]>;
  /** The variables of a function's environment, which has been started by a request before. */
  variablesOf: (description: string) => Promise<Record<string, string>>;
  stop: () => Promise<void>;
}

/**
 * Starts a local world for load, in its own process. It differs from `npm start` in three ways: the stage's
 * throttle is far away, the functions in `entries` have source maps beside their bundles, and the site is
 * web/public. `entries`: files below functions/ without their ending, by the function's description.
 */
export async function startLoadedWorld(
  port: number,
  entries: Readonly<Record<string, string>>,
): Promise<LoadedWorld> {
  const folder = await mkdtemp(path.join(tmpdir(), 'selfsame-load-'));
  const site = path.join(root, 'web/public');
  console.error('Synthesising the stack …');
  const synthesised = await synthesiseStaging({ outdir: path.join(folder, 'out'), site });
  const template = await withoutThrottle(synthesised.template);
  const folders = await bundlesOf(template, synthesised.assets, Object.keys(entries));
  for (const [description, entry] of Object.entries(entries)) {
    await bundleWithSourceMaps(path.join(root, 'functions', `${entry}.ts`), String(folders.get(description)));
  }
  process.env['SELFSAME_BUILT'] = JSON.stringify({ dist: site, synthesised });
  const world = new World(port);
  process.env['NODE_OPTIONS'] = '--inspect=127.0.0.1:0';
  await world.start();
  delete process.env['NODE_OPTIONS'];
  const address = /ws:\/\/\S+/.exec(world.output.join(''))?.[0];
  if (!address) throw new Error(`The world can't be inspected:\n${world.output.join('')}`);
  const inspector = await Inspector.connect(address);

  const environmentsOf = async (description: string): Promise<Thread[]> => {
    const found: Thread[] = [];
    for (const thread of inspector.workers()) {
      const task = await evaluate(thread, 'process.env.LAMBDA_TASK_ROOT', z.string());
      if (task === folders.get(description)) found.push(thread);
    }
    return found;
  };
  return {
    world,
    inspector,
    environmentsOf,
    async variablesOf(description) {
      const [thread] = await environmentsOf(description);
      if (!thread) throw new Error(`${description} has no environment.`);
      return evaluate(thread, '({ ...process.env })', FunctionEnvironment);
    },
    async stop() {
      inspector.close();
      await world.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function withoutThrottle(file: string): Promise<TemplateDocument> {
  const text = await readFile(file, 'utf8');
  const template = TemplateDocument.parse(JSON.parse(text));
  for (const { Type, Properties } of Object.values(template.Resources)) {
    if (Type !== 'AWS::ApiGatewayV2::Stage') continue;
    Properties['DefaultRouteSettings'] = UNTHROTTLED;
    Properties['RouteSettings'] = {};
  }
  await writeFile(file, JSON.stringify(template));
  return template;
}

/** The folders that functions run from, by their descriptions. */
async function bundlesOf(
  template: TemplateDocument,
  assets: string,
  descriptions: readonly string[],
): Promise<Map<string, string>> {
  const names = await readdir(path.dirname(assets));
  const found = new Map<string, string>();
  for (const { Type, Properties } of Object.values(template.Resources)) {
    const parsed = AppFunction.safeParse(Properties);
    if (Type !== 'AWS::Lambda::Function' || !parsed.success) continue;
    const asset = names.find((name) => name === `asset.${path.parse(parsed.data.Code.S3Key).name}`);
    if (asset) found.set(parsed.data.Description, path.join(path.dirname(assets), asset));
  }
  for (const description of descriptions) {
    if (!found.has(description)) throw new Error(`No function of the stack is described as ${description}.`);
  }
  return found;
}

/** Bundles once more as for a deployment. Only the names of chunks differ, which have a hash. */
async function bundleWithSourceMaps(entry: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true });
  await build({
    ...bundleOptions,
    entryPoints: { index: entry },
    outdir: folder,
    minify: true,
    sourcemap: 'external',
    logLevel: 'error',
  });
}
