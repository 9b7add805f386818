import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Html, html } from '../base/html.ts';
import { linked } from './elements.ts';

const ops = fileURLToPath(new URL('../../operate/ops.ts', import.meta.url));

/** The reasons for a user's plan by `support why`, in its own process that uses the world at `site`. */
export async function whyPage(sub: string, site: string): Promise<Html> {
  const env = { ...process.env, SELFSAME_PORT: new URL(site).port };
  const { stdout } = await promisify(execFile)(process.execPath, [ops, 'support', 'why', sub, '--local'], {
    env,
  });
  const [, ...lines] = stdout.trim().split('\n');
  return html`<pre style="white-space: pre-wrap">${linked(lines.join('\n'))}</pre>`;
}
