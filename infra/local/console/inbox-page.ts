import type { Suppressed } from '../aws/ses.ts';
import type { MailOutcome, Message } from '../base/inbox.ts';
import { type Html, html } from '../base/html.ts';
import { button, linked, readable, table } from './elements.ts';

const outcomes: Record<MailOutcome, string> = {
  delivered: 'Delivered',
  bounced: 'Bounced: the mailbox does not exist',
  complained: 'Delivered, and marked as spam',
  suppressed: 'Not sent: the address is on the suppression list',
};

export function inboxPage(messages: readonly Message[], suppressed: readonly Suppressed[]): Html {
  return html`${
    messages.length === 0
      ? html`<p>No mail yet. What the site sends arrives here.</p>`
      : html`<ul class="messages">
          ${messages.map(listed)}
        </ul>`
  }
  ${suppressed.length > 0 ? suppressionList(suppressed) : ''}`;
}

const listed = ({ id, to, subject, sentAt, text, outcome }: Message): Html =>
  html`<li>
    <a href="/__local/inbox/${id}">
      <strong>${subject}</strong>
      <span>to ${to}</span>
      <time datetime="${sentAt}">${readable(new Date(sentAt))}</time>
      <span class="excerpt"
        >${outcome === 'delivered' ? '' : `${outcomes[outcome]}. `}${text.slice(0, 140)}</span
      >
    </a>
  </li>`;

const suppressionList = (suppressed: readonly Suppressed[]): Html =>
  html`<h2>Suppression list</h2>
    <p>SES sends these addresses no mail.</p>
    ${table(
      'Suppression list',
      ['Address', 'Reason', 'Since', 'Action'],
      suppressed.map(({ address, reason, since }) => [
        address,
        reason,
        readable(new Date(since)),
        button('Take off', `/__local/suppressed/${encodeURIComponent(address)}/remove`),
      ]),
    )}`;

export function messagePage({ id, to, sentAt, html: body, links, outcome }: Message): Html {
  return html`<p>
      To <strong>${linked(to)}</strong>, <time datetime="${sentAt}">${readable(new Date(sentAt))}</time>.
      ${outcomes[outcome]}.
    </p>
    ${
      outcome === 'delivered'
        ? html`<p>
            ${button('Let it bounce', `/__local/mail/${id}/bounce`)}
            ${button('Mark as spam', `/__local/mail/${id}/complain`)}
          </p>`
        : ''
    }
    <iframe
      title="The message"
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      srcdoc="${`<base target="_blank">${body}`}"
    ></iframe>
    ${
      links.length > 0
        ? html`<h2>Links</h2>
            <ul class="links">
              ${links.map((link) => html`<li><a href="${link}" target="_blank" rel="noopener">${link}</a></li>`)}
            </ul>`
        : ''
    }`;
}
