import { type Html, html } from '../base/html.ts';
import type { ExampleMail } from './example-mails.ts';

/** The examples of every mail that the stack can send, Cognito's too. */
export const mailsPage = (mails: readonly ExampleMail[]): Html =>
  html`<p class="lead">
      Every mail that the stack sends, on a phone, composed from its examples whenever this page loads.
    </p>
    ${mails.map(mailSection)}`;

const mailSection = ({ name, occasion, variant, subject, html: body, text }: ExampleMail): Html =>
  html`<section class="mail" data-mail="${name}">
    <h2>${subject}</h2>
    <p>We email you when ${occasion}. <code>${name}</code>, ${variant}</p>
    <div class="phones">
      ${frame('light', subject, body)} ${frame('dark', subject, body)}
      <figure>
        <figcaption>Text</figcaption>
        <pre tabindex="0" aria-label="${subject}, text">${text}</pre>
      </figure>
    </div>
  </section>`;

/** A frame follows the color scheme of the whole browser, so the mail's own media query is resolved here. */
function inScheme(body: string, scheme: 'light' | 'dark'): string {
  return body
    .replaceAll(/\(\s*prefers-color-scheme:\s*(light|dark)\s*\)/g, (_, wanted: string) =>
      wanted === scheme ? '(width >= 0)' : '(width < 0)',
    )
    .replaceAll(/(<meta name="color-scheme" content=")[^"]*/g, `$1${scheme}`);
}

const frame = (scheme: 'light' | 'dark', subject: string, body: string): Html =>
  html`<figure>
    <figcaption>${scheme === 'light' ? 'Light' : 'Dark'}</figcaption>
    <iframe
      title="${subject}, ${scheme}"
      data-scheme="${scheme}"
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      srcdoc="${`<base target="_blank">${inScheme(body, scheme)}`}"
    ></iframe>
  </figure>`;
