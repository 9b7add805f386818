import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { synthesizeStaging } from '../../../infra/local/stack/synthesis.ts';
import { TemplateDocument } from '../../../infra/local/stack/template-document.ts';
import { World } from '../../fixtures/worlds/world.ts';

// Requests a second, far above what a machine serves.
const UNTHROTTLED = { ThrottlingRateLimit: 1_000_000, ThrottlingBurstLimit: 1_000_000 };

/**
 * Starts a local world in its own process. It differs from `npm start` in two ways: the stage's throttle is
 * far away, and the site is web/public. `ends` stops it.
 */
export async function startUnthrottledWorld(port: number, ends: AsyncDisposableStack): Promise<World> {
  const folder = await mkdtemp(path.join(tmpdir(), 'selfsame-load-'));
  ends.defer(() => rm(folder, { recursive: true, force: true }));
  const site = path.resolve(import.meta.dirname, '../../../web/public');
  console.error('Synthesizing the stack …');
  const synthesized = await synthesizeStaging({ outdir: path.join(folder, 'out'), site });
  await removeThrottle(synthesized.template);
  process.env['SELFSAME_BUILT'] = JSON.stringify({ dist: site, synthesized });
  const world = new World(port);
  await world.start();
  ends.defer(() => world.stop());
  return world;
}

async function removeThrottle(file: string): Promise<void> {
  const template = TemplateDocument.parse(JSON.parse(await readFile(file, 'utf8')));
  for (const { Type, Properties } of Object.values(template.Resources)) {
    if (Type !== 'AWS::ApiGatewayV2::Stage') continue;
    Properties['DefaultRouteSettings'] = UNTHROTTLED;
    Properties['RouteSettings'] = {};
  }
  await writeFile(file, JSON.stringify(template));
}
