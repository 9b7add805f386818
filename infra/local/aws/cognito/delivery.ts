import type { Inbox } from '../../base/inbox.ts';
import type { Codes } from './codes.ts';
import { decoy, type UserPool, type UserPoolClient } from './pools.ts';
import type { CustomMessageSource, Triggers } from './triggers.ts';
import type { User } from './users.ts';

export interface CodeDeliveryDetails {
  AttributeName: 'email';
  DeliveryMedium: 'EMAIL';
  Destination: string;
}

const PLACEHOLDER = '{####}';

// The sender of pools that don't send through SES: Cognito's documentation of e-mail settings.
const COGNITO_SENDER = 'no-reply@verificationemail.com';

/** The client that requested a message, with its pool. */
export type Sender = Pick<UserPoolClient, 'id' | 'pool'>;

/** The sender for messages that an administrator requests. Triggers get this client id. */
export const administrator = (pool: UserPool): Sender => ({ id: 'CLIENT_ID_NOT_APPLICABLE', pool });

interface Message {
  client: Sender;
  user: User;
  source: CustomMessageSource;
  metadata: Record<string, string> | null | undefined;
}

/** Puts codes into messages and sends them. */
export class Delivery {
  readonly #codes: Codes;
  readonly #mail: Inbox;
  readonly #triggers: Triggers;

  constructor({ codes, mail, triggers }: { codes: Codes; mail: Inbox; triggers: Triggers }) {
    this.#codes = codes;
    this.#mail = mail;
    this.#triggers = triggers;
  }

  /** Sends a code that replaces the previous one. Rejects with a trigger's error, and then issues no code. */
  async sendCode(message: Message): Promise<CodeDeliveryDetails> {
    const to = message.user.attributes['email'] ?? '';
    const write = await this.#write(message);
    this.#mail.send({ to, ...write(this.#codes.issue(message.user)) });
    return deliveryTo(to);
  }

  /** Asks the trigger for the text. Resolves with a function that puts a code into it. */
  async #write({ source, ...to }: Message) {
    const own = await this.#triggers.customMessage(source, { ...to, placeholder: PLACEHOLDER });
    const { pool } = to.client;
    const pools = templateOf(pool);
    return (code: string) => ({
      from: pool.settings.EmailConfiguration?.From ?? COGNITO_SENDER,
      subject: (own.subject ?? pools.subject).replaceAll(PLACEHOLDER, code),
      html: (own.message ?? pools.message).replaceAll(PLACEHOLDER, code),
    });
  }
}

const deliveryTo = (address: string): CodeDeliveryDetails => ({
  AttributeName: 'email',
  DeliveryMedium: 'EMAIL',
  Destination: masked(address),
});

/** Delivery details for an unknown user. The same name always gets the same details. */
export function simulatedDelivery(pool: UserPool, name: string): CodeDeliveryDetails {
  if (name.includes('@')) return deliveryTo(name);
  const letters = [...decoy(pool, 'delivery', name)].map((byte) => String.fromCharCode(97 + (byte % 26)));
  return deliveryTo(`${letters[0]}@${letters[1]}`);
}

const masked = (address: string): string => {
  const at = address.lastIndexOf('@');
  return `${address[0] ?? ''}***@${address[at + 1] ?? ''}***`;
};

function templateOf({ settings }: UserPool): { subject: string; message: string } {
  const template = settings.VerificationMessageTemplate;
  return {
    subject: template?.EmailSubject ?? settings.EmailVerificationSubject ?? 'Your confirmation code',
    message:
      template?.EmailMessage ??
      settings.EmailVerificationMessage ??
      `Your confirmation code is ${PLACEHOLDER}`,
  };
}
