import { randomUUID } from 'node:crypto';
import type { Clock } from './clock.ts';
import type { Collection, Store } from './store.ts';

/** The outcome of a mail. `suppressed`: SES accepted the mail and sent it to nobody. */
export type MailOutcome = 'delivered' | 'bounced' | 'complained' | 'suppressed';

/** SES, which sends its own mail and Cognito's. */
export interface MailCarrier {
  outcomeOf(mail: Pick<Message, 'from' | 'to'>): MailOutcome;
  /** Called for each mail that was not simply delivered, once it is in the inbox. */
  returned(message: Message): void;
}

export interface Message {
  id: string;
  /** A mailbox like `Selfsame <no-reply@selfsame.example>`. */
  from: string;
  to: string;
  subject: string;
  html: string;
  /** Plain text. Derived from the HTML if the sender sent none. */
  text: string;
  /** Every address linked from `html` or written in `text`, in order, without duplicates. */
  links: string[];
  /** SES's message tags. Empty for Cognito's mail. */
  tags: Record<string, string>;
  outcome: MailOutcome;
  /** ISO 8601, in the local world's time. */
  sentAt: string;
}

type Stored = Omit<Message, 'from' | 'tags' | 'outcome'> &
  Partial<Pick<Message, 'from' | 'tags' | 'outcome'>>;

/** The one inbox for all mail that Cognito and SES would have sent. */
export class Inbox {
  readonly #clock: Clock;
  readonly #messages: Collection<Stored>;
  /** The mail service. Without it, all mail is delivered. */
  carrier: MailCarrier | undefined;

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
      outcome: this.carrier?.outcomeOf({ from, to }) ?? 'delivered',
      sentAt: this.#clock.now().toISOString(),
    };
    this.#messages.put(message.id, message);
    if (message.outcome !== 'delivered') this.carrier?.returned(message);
  }

  /** Lets a delivered mail bounce, or marks it as spam. Undefined if there is no such mail. */
  return(id: string, outcome: 'bounced' | 'complained'): Message | undefined {
    const message = this.list().find((each) => each.id === id && each.outcome === 'delivered');
    if (!message) return undefined;
    const returned = { ...message, outcome };
    this.#messages.put(id, returned);
    this.carrier?.returned(returned);
    return returned;
  }

  /** Newest first. */
  list(): Message[] {
    // Messages stored by earlier versions lack these fields.
    return this.#messages
      .list()
      .toReversed()
      .map((message) => ({
        ...message,
        from: message.from ?? '',
        tags: message.tags ?? {},
        outcome: message.outcome ?? 'delivered',
      }));
  }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };
const decode = (html: string): string =>
  html.replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? '');

/** The text of HTML, as a mail program reads it out if the sender sent no text. */
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
