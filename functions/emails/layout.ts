import { escapeHtml } from '../../schemas/escape-html.ts';
import { product } from '../../schemas/product/product.ts';

export interface Email {
  subject: string;
  html: string;
  text: string;
}

/** A mail that `defineEmail` has laid out. */
export interface Notice extends Email {
  /** The value of its SES tag `notice`. */
  name: string;
  /** The `sub` that SES returns with the mail's bounce or complaint. Omitted if bounces are irrelevant. */
  user?: string;
}

/** The content of a mail. Strings are plain text; `compose` escapes them. */
export interface EmailContent {
  subject: string;
  /** The text shown beside the subject in an inbox. */
  preview: string;
  heading: string;
  paragraphs: readonly string[];
  button?: { label: string; url: string };
  /** A code to type, without or instead of a button: Cognito's placeholder or the code itself. */
  code?: string;
  closing: string;
}

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

const codeBlock = (code: string, label: string): string =>
  `<p style="margin:0 0 8px;font-size:14px">${label}:</p>
<p class="code" style="margin:0 0 24px;font:600 24px/1.4 ui-monospace,Menlo,Consolas,monospace;letter-spacing:4px;background:#f1f4f4;border-radius:2px;padding:10px 16px;display:inline-block">${code}</p>`;

const buttonBlock = ({ label, url }: NonNullable<EmailContent['button']>): string =>
  `<p style="margin:24px 0"><a class="button" href="${escapeHtml(url)}" style="display:inline-block;background:#14202f;color:#ffffff;text-decoration:none;font-weight:600;font-size:16px;padding:12px 22px;border-radius:2px">${escapeHtml(label)}</a></p>`;

const serif = "font-family:'Iowan Old Style',Palatino,'Palatino Linotype',Georgia,serif";

/** The logo. Its ditto mark is two slashes on a table cell: it needs no image, and Outlook draws it too. */
const header = `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px"><tr>
<td class="mark" width="26" height="26" align="center" valign="middle" bgcolor="#ffdc3d" aria-hidden="true" style="width:26px;height:26px;background:#ffdc3d;color:#14202f;font:900 18px/26px Arial,Helvetica,sans-serif;letter-spacing:-1px">//</td>
<td style="padding-left:10px;font-size:18px;line-height:26px;${serif}">${product.name}</td>
</tr></table>`;

const paragraph = (text: string): string =>
  `<p style="margin:0 0 16px;font-size:16px;line-height:1.6">${escapeHtml(text)}</p>`;

/** Lays out a mail as HTML and as text. One column, without remote resources, which mail programs block. */
export function compose(content: EmailContent): Email {
  const codeLabel = `${content.button ? 'Or enter' : 'Enter'} this code on the page`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(content.subject)}</title>
<style>
@media (prefers-color-scheme: dark) {
  .page { background: #11171f !important; color: #e9e6dd !important; }
  .card { background: #1b232e !important; border-color: #333e4d !important; }
  .code { background: #090d12 !important; }
  .quiet { color: #a9b3c0 !important; }
  .mark { background: #f5cb45 !important; color: #10161f !important; }
  .button { background: #e9e6dd !important; color: #10161f !important; }
}
</style>
</head>
<body class="page" style="margin:0;background:#f1f4f4;color:#14202f;${font}">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(content.preview)}</div>
<div style="max-width:520px;margin:0 auto;padding:32px 16px">
${header}
<div class="card" style="background:#ffffff;border:1px solid #d8dfe3;border-radius:2px;padding:32px 28px;overflow-wrap:anywhere">
<h1 style="margin:0 0 16px;font-weight:400;font-size:28px;line-height:1.25;${serif}">${escapeHtml(content.heading)}</h1>
${content.paragraphs.map(paragraph).join('\n')}
${content.button ? buttonBlock(content.button) : ''}
${content.code ? codeBlock(content.code, codeLabel) : ''}
<p class="quiet" style="margin:0;font-size:14px;line-height:1.6;color:#4e5b6b">${escapeHtml(content.closing)}</p>
</div>
<p class="quiet" style="margin:24px 0 0;font-size:13px;line-height:1.6;color:#4e5b6b">Questions? Write to <a href="mailto:${product.supportEmail}" style="color:inherit">${product.supportEmail}</a>.<br>${product.name}: ${product.tagline}.</p>
</div>
</body>
</html>`;
  const text = [
    content.heading,
    ...content.paragraphs,
    ...(content.button ? [`${content.button.label}: ${content.button.url}`] : []),
    ...(content.code ? [`${codeLabel}: ${content.code}`] : []),
    content.closing,
    `Questions? Write to ${product.supportEmail}.`,
  ].join('\n\n');
  return { subject: content.subject, html, text };
}
