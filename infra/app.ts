import { existsSync } from 'node:fs';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import { SelfsameStack } from './stack.ts';
import { type StageName, stages } from './stages.ts';

/**
 * Synthesises a stage into `outdir`, without network or AWS account. Returns the paths of template and
 * assets.
 */
export function synthesise({
  stage,
  outdir,
  site,
}: {
  stage: StageName;
  outdir: string;
  /** Folder of the site to deploy. */
  site: string;
}): { template: string; assets: string } {
  const app = new App({ outdir, analyticsReporting: false });
  const { stackName } = new SelfsameStack(app, { stageName: stage, site });
  app.synth();
  return {
    template: path.join(outdir, `${stackName}.template.json`),
    assets: path.join(outdir, `${stackName}.assets.json`),
  };
}

// Run by the CDK CLI, which passes the output folder through the environment.
if (import.meta.main) {
  const site = path.resolve(import.meta.dirname, '../web/dist');
  if (!existsSync(path.join(site, 'index.html'))) {
    console.error('The site has not been built: run npm run build first.');
    process.exit(1);
  }
  const app = new App({ analyticsReporting: false });
  for (const stageName of Object.keys(stages) as StageName[]) new SelfsameStack(app, { stageName, site });
  app.synth();
}
