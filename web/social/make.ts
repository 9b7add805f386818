/**
 * Draws public/social.png, the picture that links to the site show: `npm run social`, after a change of the
 * product's name, tagline or description. The result is committed: a build has no browser.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { chromium } from 'playwright';
import { description } from '../../schemas/product/description.ts';
import { product } from '../../schemas/product/product.ts';
import { drawnFacts } from './drawn-facts.ts';

const PICTURE = fileURLToPath(new URL('../public/social.png', import.meta.url));
const SIGNATURE_AND_HEADER = 8 + 25;

const font = (name: string, file: string) =>
  `@font-face{font-family:${name};font-weight:200 900;src:url(data:font/woff2;base64,${readFileSync(new URL(`../fonts/${file}.woff2`, import.meta.url), 'base64')})}`;
const words = product.tagline.split(' ');

const page = `<!doctype html><style>${font('Newsreader', 'serif')}${font('Sans', 'sans')}
  body{margin:0;width:1200px;height:630px;overflow:hidden;position:relative;background:#fdfdfd;color:#14202f;font:36px/1.3 Newsreader}
  body>*{position:absolute;margin:0}
  b{font-weight:400;background:#ffdc3d}
  .mark{left:64px;top:64px;width:44px}
  .name{left:124px;top:58px}
  h1{left:64px;top:150px;font-size:96px;font-weight:400;letter-spacing:-0.02em}
  h1 b{padding:0 6px;border-right:3px solid}
  .what{left:64px;top:408px;width:460px;color:#4d5b6b;font-size:28px;line-height:39px}
  .window{left:546px;top:330px;width:312px;height:320px;padding:68px 60px 0 28px;border:1px solid #d0d9dd;border-radius:14px;background:linear-gradient(#f3f6f6 42px,#d0d9dd 42px 43px,#fff 43px);font-size:24px;line-height:36px}
  .app{left:898px;top:380px;width:208px;padding:14px;border-radius:10px;background:#14202f;color:#fff;font:22px/38px Sans}
  .app img{display:block;width:26px;margin-bottom:10px}
  .app p{margin:0;padding:0 12px;border-radius:4px}
  .app p:first-of-type{background:#ffdc3d;color:#14202f;font-weight:600}
</style>
<img class="mark" src="data:image/svg+xml;base64,${readFileSync(new URL('../public/favicon.svg', import.meta.url), 'base64')}">
<p class="name">${product.name}</p>
<h1>${words.slice(0, -2).join(' ')} <b>${words.slice(-2).join(' ')}</b></h1>
<p class="what">${description}</p>
<div class="window">Thank you for the draft. <b>It is very nearly there, though the part in the middle goes on for some while.</b> Shall we talk on Thursday?</div>
<div class="app"><img src="data:image/svg+xml;base64,${readFileSync(new URL('../public/favicon.svg', import.meta.url), 'base64')}"><p>Say it plainly</p><p>Summarize</p><p>Explain</p></div>`;

// The journeys' browser does.
const executablePath = process.env['SELFSAME_BROWSER'];
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] });
const tab = await browser.newPage({ viewport: { width: 1_200, height: 630 } });
await tab.setContent(page);
await tab.evaluate('document.fonts.ready');
const drawn = await tab.screenshot();
await browser.close();

// A chunk of text (PNG, section 11.3.3.2) after the header.
const chunk = Buffer.from(`tEXtDescription\0${drawnFacts}`, 'latin1');
const length = Buffer.alloc(4);
length.writeUInt32BE(chunk.length - 4);
const check = Buffer.alloc(4);
check.writeUInt32BE(crc32(chunk));
const [head, rest] = [drawn.subarray(0, SIGNATURE_AND_HEADER), drawn.subarray(SIGNATURE_AND_HEADER)];
writeFileSync(PICTURE, Buffer.concat([head, length, chunk, check, rest]));
