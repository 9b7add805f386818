import { existsSync } from 'node:fs';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import flags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { bundleOptions } from './constructs/lambda/bundle.ts';
import { codeBelow } from './constructs/lambda/function-code.ts';
import { product } from '../schemas/product/product.ts';
import { providerKeys, providersIn } from '../schemas/product/providers.ts';
import { SelfsameStack } from './stack.ts';
import { type StageName, stages } from './stages/stages.ts';
import type { Stage } from './stages/stage.ts';

/** CDK's settings, for each synthesis. The upgrade of CDK that changes one changes the snapshot. */
export const context = {
  ...flags,
  // The local world and tests synthesize with placeholders, which are errors to the CDK CLI.
  '@aws-cdk/core:annotationsInValidationReport': false,
  // A weak reference to the web ACL's stack would need a deployment of its own.
  '@aws-cdk/core:defaultCrossStackReferences': 'strong',
  // CloudFormation takes a megabyte.
  '@aws-cdk/core:suppressTemplateIndentation': true,
};

// The local world is in one region and has its own tables. Its SES accepts mail from the start, so Cognito
// sends our mail.
const locally = {
  region: 'us-east-1',
  restoredTables: {},
  sendsThroughSes: true,
  omitsPoolSchema: false,
} as const satisfies Partial<Stage>;

/** The functions, for a caller of `synthesize` who bundles them. */
export interface UnbundledFunctions {
  /** The handlers' files, by the folder of their code below `functions`, such as `api/plan`. */
  entries: Record<string, string>;
  /** esbuild's options. Every entry is bundled into its folder as `index.mjs`. */
  options: typeof bundleOptions;
}

/**
 * Synthesizes a stage for the local world into `outdir`, without network or an AWS account. Returns the paths
 * of the template and the assets.
 */
export function synthesize({
  stage,
  outdir,
  site,
  functions,
  providers,
}: {
  stage: StageName;
  outdir: string;
  /** Folder of the site to deploy. */
  site: string;
  /** Folder that the caller bundles the functions into. @default they are bundled now */
  functions?: string | undefined;
  /** Keys of identity providers, separated by commas. @default those that stages offer */
  providers?: string | undefined;
}): { template: string; assets: string; unbundled?: UnbundledFunctions } {
  // AWS's own checks take longer than all else. Deployments and tests run them.
  const checks = { builtinCloudFormationValidation: false };
  const app = new App({ outdir, analyticsReporting: false, context, ...checks });
  const later = functions === undefined ? undefined : codeBelow(functions);
  const { stackName } = new SelfsameStack(app, {
    stageName: stage,
    stage: { ...stages[stage], ...locally, providers: providersIn(providers) },
    site,
    ...(later && { codeOf: later.codeOf }),
  });
  app.synth();
  return {
    template: path.join(outdir, `${stackName}.template.json`),
    assets: path.join(outdir, `${stackName}.assets.json`),
    ...(later && {
      unbundled: {
        entries: Object.fromEntries(later.handlers.map(({ entry, file }) => [entry, file])),
        options: bundleOptions,
      },
    }),
  };
}

// Run by the CDK CLI, which passes the output folder through the environment.
if (import.meta.main) {
  const site = path.resolve(import.meta.dirname, '../web/dist');
  if (!existsSync(path.join(site, 'index.html'))) {
    console.error('The site has not been built: run npm run build first.');
    process.exit(1);
  }
  const app = new App({ analyticsReporting: false, context });
  const given = (name: string) => app.node.tryGetContext(`${product.slug}:${name}`) as string | undefined;
  for (const stageName of Object.keys(stages) as StageName[]) {
    new SelfsameStack(app, {
      stageName,
      site,
      isFirst: given('first') === stageName,
      secretVersions: Object.fromEntries(
        providerKeys.map((provider) => [provider, given(`${provider}SecretVersion`)]),
      ),
      commit: given('commit'),
    });
  }
  app.synth();
}
