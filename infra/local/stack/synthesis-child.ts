import { sentenceOf } from '../base/start-failure.ts';
import type { SynthesisOutcome } from './synthesis.ts';

const [outdir = '', site = ''] = process.argv.slice(2);

async function synthesised(): Promise<SynthesisOutcome> {
  try {
    // oxlint-disable-next-line no-restricted-imports -- the way to the template
    const { synthesise } = await import('../../app.ts');
    return { kind: 'done', paths: synthesise({ stage: 'staging', outdir, site }) };
  } catch (error) {
    return { kind: 'failed', message: sentenceOf(error) };
  }
}

// Begins with a line break, since CDK's bundling may have written part of a line.
console.log(`\n${JSON.stringify(await synthesised())}`);
