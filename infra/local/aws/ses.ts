import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { type AwsCall, awsJson, AwsRefusal } from './json-protocol.ts';
import { html as markup } from '../base/html.ts';
import type { Inbox } from '../base/inbox.ts';
import type { AwsService, ServiceContext } from './service.ts';
import { propertiesOf } from '../stack/resource-properties.ts';
import { REGION, type ResourceType, stableId, type Unnamed } from '../stack/resource-type.ts';
import type { Stack } from '../stack/template.ts';

const identityOf = (identity: Unnamed) => identity.text('EmailIdentity') ?? '';
const token = (number: number) => (identity: Unnamed) => `${stableId(identity, 31)}${number}`;

const types: Record<string, ResourceType> = {
  'AWS::SES::EmailIdentity': {
    ref: identityOf,
    attributes: Object.fromEntries(
      [1, 2, 3].flatMap((number) => [
        [
          `DkimDNSTokenName${number}`,
          (identity: Unnamed) => `${token(number)(identity)}._domainkey.${identityOf(identity)}`,
        ],
        [
          `DkimDNSTokenValue${number}`,
          (identity: Unnamed) => `${token(number)(identity)}.dkim.amazonses.com`,
        ],
      ]),
    ),
  },
};

export const ses = {
  types,
  async start({ inbox, endpoints, serve }: ServiceContext) {
    const service = new EmailService({ inbox });
    endpoints['SESV2'] = await serve(service.handle);
    return service;
  },
} satisfies AwsService;

/** What the stack says about the mail of an identity. */
const IdentityMetadata = z.object({ notices: z.record(z.string(), z.string()) });

const IdentityProperties = z.object({ EmailIdentity: z.string().check(z.minLength(1)) });

// From SES's documentation of SendEmail.
const MOST_RECIPIENTS = 50;

// From SES's documentation of MessageTag and of SendEmail.
const MOST_TAGS = 50;
const Tag = z.string().check(z.regex(/^[\w@.-]{1,256}$/));

const Part = z.strictObject({ Data: z.string(), Charset: z.optional(z.string()) });

// Strict, since SES would send what the inbox here would not show.
const SendEmail = z.strictObject({
  FromEmailAddress: z.string(),
  ReplyToAddresses: z.optional(z.array(z.string())),
  EmailTags: z.optional(z.array(z.strictObject({ Name: Tag, Value: Tag })).check(z.maxLength(MOST_TAGS))),
  Destination: z.strictObject({
    ToAddresses: z.array(z.string()).check(z.minLength(1), z.maxLength(MOST_RECIPIENTS)),
  }),
  Content: z.strictObject({
    Simple: z.strictObject({
      Subject: Part,
      Body: z
        .strictObject({ Html: z.optional(Part), Text: z.optional(Part) })
        .check(z.refine(({ Html, Text }) => Html !== undefined || Text !== undefined)),
    }),
  }),
});

/** SES: SendEmail, which puts mail into the inbox. */
export class EmailService {
  readonly #inbox: Inbox;
  #identities: readonly string[] = [];
  #notices: Record<string, string> = {};

  constructor({ inbox }: { inbox: Inbox }) {
    this.#inbox = inbox;
  }

  update(stack: Stack): Promise<void> {
    this.#identities = stack
      .of('AWS::SES::EmailIdentity')
      .map((resource) => propertiesOf(IdentityProperties, resource).EmailIdentity.toLowerCase());
    this.#notices = Object.assign(
      {},
      ...stack
        .of('AWS::SES::EmailIdentity')
        .map(({ metadata }) => IdentityMetadata.safeParse(metadata).data?.notices ?? {}),
    ) as Record<string, string>;
    return Promise.resolve();
  }

  /**
   * The mails that the stack says it sends: the occasion of each, by the value of the tag `notice` that it is
   * sent with.
   */
  get notices(): Readonly<Record<string, string>> {
    return this.#notices;
  }

  readonly handle = awsJson((call) => this.#answer(call));

  #answer({ route, body }: AwsCall): object {
    if (route !== 'POST /v2/email/outbound-emails') {
      throw new AwsRefusal('NotFoundException', 'The local world answers only SendEmail.', 404);
    }
    const request = SendEmail.safeParse(body);
    if (!request.success) {
      const [issue] = request.error.issues;
      throw badRequest(
        `The local world can't send this: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
      );
    }
    const { FromEmailAddress, Destination, Content, EmailTags = [] } = request.data;
    const from = addressIn(FromEmailAddress);
    const to = Destination.ToAddresses.map(addressIn).filter((address) => address !== undefined);
    if (from === undefined || to.length < Destination.ToAddresses.length) {
      throw badRequest("Missing final '@domain'");
    }
    if (!this.#isVerified(from)) {
      throw new AwsRefusal(
        'MessageRejected',
        `Email address is not verified. The following identities failed the check in region ${REGION.toUpperCase()}: ${FromEmailAddress}`,
      );
    }
    const { Subject, Body } = Content.Simple;
    const text = Body.Text?.Data;
    const html = Body.Html?.Data ?? asHtml(text ?? '');
    const tags = Object.fromEntries(EmailTags.map(({ Name, Value }) => [Name, Value]));
    for (const address of to) {
      this.#inbox.send({
        from: FromEmailAddress,
        to: address,
        subject: Subject.Data,
        html,
        ...(text !== undefined && { text }),
        tags,
      });
    }
    return { MessageId: randomUUID() };
  }

  /** Whether the stack has an identity for the address, its domain or a parent domain. */
  #isVerified(mailbox: string): boolean {
    const address = mailbox.toLowerCase();
    const domain = address.slice(address.lastIndexOf('@') + 1);
    return this.#identities.some(
      (identity) => identity === address || identity === domain || domain.endsWith(`.${identity}`),
    );
  }
}

const badRequest = (message: string) => new AwsRefusal('BadRequestException', message);

/** The address of a mailbox like `Selfsame <no-reply@selfsame.example>`; undefined where there is none. */
function addressIn(mailbox: string): string | undefined {
  const address = /<([^<>]*)>\s*$/.exec(mailbox)?.[1] ?? mailbox;
  return /^\s*[^\s@<>,;]+@[^\s@<>,;]+\s*$/.test(address) ? address.trim() : undefined;
}

const asHtml = (text: string): string => markup`<pre>${text}</pre>`.source;
