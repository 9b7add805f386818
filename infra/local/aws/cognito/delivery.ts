import type { Inbox } from '../../base/inbox.ts';
import type { CodePurpose, Codes } from './codes.ts';
import { decoy, type UserPool, type UserPoolClient } from './pools.ts';
import type { CustomMessageSource, Triggers } from './triggers.ts';
import type { User } from './users.ts';

export interface CodeDeliveryDetails {
  AttributeName: 'email';
  DeliveryMedium: 'EMAIL';
  Destination: string;
}

const PLACEHOLDER = '{####}';

/** At whose request a message goes out. */
export type Sender = Pick<UserPoolClient, 'id' | 'pool'>;

/** What triggers are told where no client asks, but an administrator. */
export const administrator = (pool: UserPool): Sender => ({ id: 'CLIENT_ID_NOT_APPLICABLE', pool });

/** Writes codes into messages and hands them to the mail. */
export class Delivery {
  readonly #codes: Codes;
  readonly #mail: Inbox;
  readonly #triggers: Triggers;

  constructor({ codes, mail, triggers }: { codes: Codes; mail: Inbox; triggers: Triggers }) {
    this.#codes = codes;
    this.#mail = mail;
    this.#triggers = triggers;
  }

  /**
   * A new code, which ends any earlier one for the same purpose. Where the trigger throws, the caller gets its error, and no
   * code is made: an address that waits for one stays as it was.
   */
  async sendCode(to: {
    client: Sender;
    user: User;
    address: string;
    purpose: CodePurpose;
    source: CustomMessageSource;
    metadata: Record<string, string> | undefined;
  }): Promise<CodeDeliveryDetails> {
    const { client, user, address, purpose, source, metadata } = to;
    const own = await this.#triggers.customMessage(source, {
      client,
      user,
      metadata,
      placeholder: PLACEHOLDER,
    });
    const pools = templateOf(client.pool, purpose);
    const code = this.#codes.issue(user, purpose, address);
    this.#mail.send({
      to: address,
      subject: (own.subject ?? pools.subject).replaceAll(PLACEHOLDER, code),
      html: (own.message ?? pools.message).replaceAll(PLACEHOLDER, code),
    });
    return deliveryTo(address);
  }
}

const deliveryTo = (address: string): CodeDeliveryDetails => ({
  AttributeName: 'email',
  DeliveryMedium: 'EMAIL',
  Destination: masked(address),
});

/** What a code sent to somebody unknown looks like: always the same for the same name. */
export function simulatedDelivery(pool: UserPool, name: string): CodeDeliveryDetails {
  if (name.includes('@')) return deliveryTo(name);
  const letters = [...decoy(pool, 'delivery', name)].map((byte) => String.fromCharCode(97 + (byte % 26)));
  return deliveryTo(`${letters[0]}@${letters[1]}`);
}

const masked = (address: string): string => {
  const at = address.lastIndexOf('@');
  return `${address[0] ?? ''}***@${address[at + 1] ?? ''}***`;
};

function templateOf({ settings }: UserPool, purpose: CodePurpose): { subject: string; message: string } {
  const template = settings.VerificationMessageTemplate;
  const what =
    purpose === 'reset' ? 'password reset' : purpose === 'sign-up' ? 'confirmation' : 'verification';
  return {
    subject: template?.EmailSubject ?? settings.EmailVerificationSubject ?? `Your ${what} code`,
    message:
      template?.EmailMessage ?? settings.EmailVerificationMessage ?? `Your ${what} code is ${PLACEHOLDER}`,
  };
}
