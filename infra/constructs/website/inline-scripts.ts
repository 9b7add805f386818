import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

// A script with a type other than JavaScript is data, which browsers don't run.
const SCRIPT = /<script(?<attributes>[^>]*)>(?<text>.*?)<\/script>/gis;
const NOT_RUN = /\s(src=|type="(?!module"|text\/javascript"))/i;

/** Sources for a content security policy (`'sha256-…'`) that allow the inline scripts of a built site. */
export function inlineScriptSources(site: string): string[] {
  const sources = readdirSync(site, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.html'))
    .flatMap((file) => scriptsIn(readFileSync(path.join(site, file), 'utf8')))
    .map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  return [...new Set(sources)].toSorted();
}

const scriptsIn = (html: string): string[] =>
  [...html.matchAll(SCRIPT)].flatMap(({ groups: { attributes = '', text = '' } = {} }) =>
    text === '' || NOT_RUN.test(attributes) ? [] : [text],
  );
