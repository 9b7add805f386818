import { randomUUID } from 'node:crypto';
import type { Clock } from './clock.ts';
import type { Collection, Store } from './store.ts';

/** A message as the inbox shows it. */
export interface Message {
  id: string;
  /** A mailbox like `Selfsame <no-reply@selfsame.example>`. */
  from: string;
  to: string;
  subject: string;
  html: string;
  /** The HTML's text where the sender gave none. */
  text: string;
  /** Every address linked from `html` or written in `text`, in order, each once. */
  links: string[];
  /** SES's message tags. Empty for mail of Cognito. */
  tags: Record<string, string>;
  /** ISO 8601, in the local world's time. */
  sentAt: string;
}

type Stored = Omit<Message, 'from' | 'tags'> & Partial<Pick<Message, 'from' | 'tags'>>;

/** The one inbox for all mail that Cognito and SES would have sent. */
export class Inbox {
  readonly #clock: Clock;
  readonly #messages: Collection<Stored>;

  constructor({ clock, store }: { clock: Clock; store: Store }) {
    this.#clock = clock;
    this.#messages = store.collection('mail');
  }

  send(
    mail: Pick<Message, 'from' | 'to' | 'subject' | 'html'> & Partial<Pick<Message, 'text' | 'tags'>>,
  ): void {
    const { from, to, subject, html, text, tags = {} } = mail;
    const readable = text ?? textOf(html);
    const message: Message = {
      id: randomUUID(),
      from,
      to,
      subject,
      html,
      text: readable,
      links: linksIn(html, readable),
      tags,
      sentAt: this.#clock.now().toISOString(),
    };
    this.#messages.put(message.id, message);
  }

  /** Newest first. */
  list(): Message[] {
    // Messages of earlier versions lack these fields.
    return this.#messages
      .list()
      .toReversed()
      .map((message) => ({ ...message, from: message.from ?? '', tags: message.tags ?? {} }));
  }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };
const decode = (html: string): string =>
  html.replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? '');

/** The text of HTML, as a mail program reads it out where the sender gave no text. */
export function textOf(html: string): string {
  return decode(
    html
      .replaceAll(/<(style|head)[\s\S]*?<\/\1>/gi, '')
      .replaceAll(/<br\s*\/?>|<\/(p|div|h\d|tr|li)>/gi, '\n')
      .replaceAll(/<[^>]+>/g, ''),
  )
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/\s*\n\s*/g, '\n')
    .trim();
}

function linksIn(html: string, text: string): string[] {
  const hrefs = [...html.matchAll(/href="(https?:[^"]+)"/gi)].map((match) => decode(match[1] ?? ''));
  const bare = [...text.matchAll(/https?:\/\/[^\s<>"]+/g)].map((match) => match[0]);
  return [...new Set([...hrefs, ...bare])];
}
