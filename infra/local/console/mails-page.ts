import type { MessagePreview } from '../aws/cognito/message-previews.ts';
import { type Html, html } from '../base/html.ts';
import { type Message, textOf } from '../base/inbox.ts';
import { readable } from './elements.ts';

/** SES's tag in which a function names the mail that it sends. */
const TAG = 'notice';

/** A mail on the page. */
interface Shown {
  /** The mail's identifier: Cognito's trigger sources, or the tag. */
  name: string;
  occasion: string;
  from: string;
  subject: string;
  html: string;
  text: string;
  /** The origin of the text, if the sender doesn't send it. */
  textNote?: string;
}

/**
 * Every mail that the stack can send. Cognito sends the mails with a code, with the text that the trigger
 * writes now. `notices`: the mails that functions send according to the template, each with its occasion. The
 * newest mail of each subject is shown as it was sent.
 */
export function mailsPage({
  previews,
  notices,
  messages,
}: {
  previews: readonly MessagePreview[];
  notices: Readonly<Record<string, string>>;
  /** Newest first. */
  messages: readonly Message[];
}): Html {
  const tagged = messages.filter(({ tags }) => tags[TAG] !== undefined);
  const names = [...new Set([...Object.keys(notices), ...tagged.map(({ tags }) => tags[TAG] ?? '')])];
  return html`<p class="lead">
      Every mail that the stack sends, on a phone. Cognito's mails are written again whenever this page loads.
      The others are shown as they were last sent; <code>npm start -- --people</code> sends each of them once.
    </p>
    <h2>By Cognito, with a code</h2>
    ${cognitoMails(previews).map(mailSection)} ${refusals(previews)}
    <h2>By functions, through SES</h2>
    ${names.map((name) =>
      noticeSections(
        name,
        notices[name],
        tagged.filter(({ tags }) => tags[TAG] === name),
      ),
    )}`;
}

/** An entry for each text: Cognito asks for some texts on several occasions. */
function cognitoMails(previews: readonly MessagePreview[]): Shown[] {
  const byText = Map.groupBy(
    previews.filter((preview) => preview.kind === 'mail'),
    ({ mail }) => JSON.stringify(mail),
  );
  return [...byText.values()].flatMap((same) => {
    const mail = same[0]?.mail;
    return mail
      ? [
          {
            ...mail,
            name: same.map(({ source }) => source).join(', '),
            occasion: 'Sent by Cognito, with the text of the custom-message trigger.',
            text: textOf(mail.html),
            textNote: 'Cognito sends HTML only; this is what is left of it without a layout.',
          },
        ]
      : [];
  });
}

function refusals(previews: readonly MessagePreview[]): Html {
  const refused = previews.filter((preview) => preview.kind === 'refused');
  if (refused.length === 0) return html``;
  return html`<h3>Never sent</h3>
    <ul>
      ${refused.map(({ source, reason }) => html`<li><code>${source}</code>: ${reason}</li>`)}
    </ul>`;
}

function noticeSections(name: string, occasion: string | undefined, sent: readonly Message[]): Html {
  const newest = [...Map.groupBy(sent, ({ subject }) => subject).values()].flatMap((same) =>
    same.slice(0, 1),
  );
  if (newest.length === 0) {
    return html`<section class="mail" data-mail="${name}" data-sent="no">
      <h3><code>${name}</code></h3>
      <p>Not sent yet. ${occasion}</p>
    </section>`;
  }
  return html`${newest.map(({ from, subject, html: body, text, sentAt }) =>
    mailSection({
      name,
      occasion: `${occasion ?? 'The template does not name this mail.'} Sent ${readable(new Date(sentAt))}.`,
      from,
      subject,
      html: body,
      text,
    }),
  )}`;
}

function mailSection({ name, occasion, from, subject, html: body, text, textNote }: Shown): Html {
  return html`<section class="mail" data-mail="${name}" data-sent="yes">
    <h3>${subject}</h3>
    <p>From <strong>${from}</strong>. ${occasion} <code>${name}</code></p>
    <div class="phones">
      ${frame('light', subject, body)} ${frame('dark', subject, body)}
      <figure>
        <figcaption>Text</figcaption>
        <pre tabindex="0" aria-label="${subject}, text">${text}</pre>
        ${textNote === undefined ? '' : html`<p class="note">${textNote}</p>`}
      </figure>
    </div>
  </section>`;
}

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
