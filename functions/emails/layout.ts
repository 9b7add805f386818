import { product } from '../../schemas/product.ts';

export interface Email {
  subject: string;
  html: string;
  text: string;
}

/** What a mail says, before it is dressed. Strings are plain text; they are escaped here. */
export interface Letter {
  subject: string;
  /** What an inbox shows beside the subject. */
  preview: string;
  heading: string;
  paragraphs: readonly string[];
  /** Where there is something to do. */
  button?: { label: string; url: string };
  /** A code to type where the button doesn't work: Cognito's placeholder or the code itself. */
  code?: string;
  closing: string;
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '');

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

const codeBlock = (code: string): string =>
  `<p style="margin:0 0 8px;font-size:14px">Or type this code on the page:</p>
<p class="code" style="margin:0 0 24px;font:600 24px/1.4 ui-monospace,Menlo,Consolas,monospace;letter-spacing:4px;background:#f1f4f4;border-radius:2px;padding:10px 16px;display:inline-block">${code}</p>`;

const buttonBlock = ({ label, url }: NonNullable<Letter['button']>): string =>
  `<p style="margin:24px 0"><a href="${escape(url)}" style="display:inline-block;background:#ffdc3d;color:#14202f;text-decoration:none;font-weight:600;font-size:16px;padding:12px 22px;border-radius:2px">${escape(label)}</a></p>`;

/**
 * In the site's ink and highlighter. One column, no images, no remote anything: mail programs show it as it is, and it reads the same with styles off.
 */
export function compose(letter: Letter): Email {
  const paragraph = (text: string): string =>
    `<p style="margin:0 0 16px;font-size:16px;line-height:1.6">${escape(text)}</p>`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escape(letter.subject)}</title>
<style>
@media (prefers-color-scheme: dark) {
  .page { background: #0f151e !important; color: #f0eee6 !important; }
  .card { background: #172130 !important; border-color: #2a3648 !important; }
  .code { background: #0f151e !important; }
  .quiet { color: #aab4c1 !important; }
}
</style>
</head>
<body class="page" style="margin:0;background:#f1f4f4;color:#14202f;${font}">
<div style="display:none;max-height:0;overflow:hidden">${escape(letter.preview)}</div>
<div style="max-width:520px;margin:0 auto;padding:32px 16px">
<p style="margin:0 0 24px;font-size:18px;font-weight:700">${product.name}</p>
<div class="card" style="background:#ffffff;border:1px solid #d8dfe3;border-radius:2px;padding:32px 28px;overflow-wrap:anywhere">
<h1 style="margin:0 0 16px;font:400 26px/1.25 'Iowan Old Style',Palatino,Georgia,serif">${escape(letter.heading)}</h1>
${letter.paragraphs.map(paragraph).join('\n')}
${letter.button ? buttonBlock(letter.button) : ''}
${letter.code ? codeBlock(letter.code) : ''}
<p class="quiet" style="margin:0;font-size:14px;line-height:1.6;color:#4e5b6b">${escape(letter.closing)}</p>
</div>
<p class="quiet" style="margin:24px 0 0;font-size:13px;line-height:1.6;color:#4e5b6b">Questions? Write to <a href="mailto:${product.supportEmail}" style="color:inherit">${product.supportEmail}</a>.</p>
</div>
</body>
</html>`;
  const text = [
    letter.heading,
    ...letter.paragraphs,
    ...(letter.button ? [`${letter.button.label}: ${letter.button.url}`] : []),
    ...(letter.code ? [`Or type this code on the page: ${letter.code}`] : []),
    letter.closing,
    `Questions? Write to ${product.supportEmail}.`,
  ].join('\n\n');
  return { subject: letter.subject, html, text };
}
