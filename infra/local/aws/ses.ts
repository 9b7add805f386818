import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { type AwsCall, awsJson, AwsRefusal } from './json-protocol.ts';
import { html as markup } from '../base/html.ts';
import type { Inbox, MailCarrier, MailOutcome, Message } from '../base/inbox.ts';
import type { AwsService, ServiceContext } from './service.ts';
import type { Clock } from '../base/clock.ts';
import type { Collection } from '../base/store.ts';
import { type Reason, type Sending, sendingWith } from './configuration-sets.ts';
import { returnedEvent, simulatorOutcome } from './undeliverable-mail.ts';
import { propertiesOf } from '../stack/resource-properties.ts';
import { generatedName, REGION, type ResourceType, stableId, type Unnamed } from '../stack/resource-type.ts';
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
  'AWS::SES::ConfigurationSet': { ref: (set) => set.text('Name') ?? generatedName(set) },
  'AWS::SES::ConfigurationSetEventDestination': {
    ref: generatedName,
    attributes: { Id: generatedName },
  },
};

export const ses = {
  types,
  async start({ clock, store, inbox, publish, endpoints, serve }: ServiceContext) {
    const service = new EmailService({ clock, store, inbox, publish });
    service.endpoint = await serve(service.handle);
    endpoints['SESV2'] = service.endpoint;
    return service;
  },
} satisfies AwsService;

const IdentityProperties = z.object({
  EmailIdentity: z.string().check(z.minLength(1)),
  ConfigurationSetAttributes: z.optional(z.object({ ConfigurationSetName: z.optional(z.string()) })),
});

export interface Suppressed {
  address: string;
  reason: Reason;
  /** ISO 8601. */
  since: string;
}

// SES's limit, from the documentation of SendEmail.
const MOST_RECIPIENTS = 50;

// SES's limit, from the documentation of MessageTag and of SendEmail.
const MOST_TAGS = 50;
const Tag = z.string().check(z.regex(/^[\w@.-]{1,256}$/));

const Part = z.strictObject({ Data: z.string(), Charset: z.optional(z.string()) });

// Strict: SES would send unknown fields, and the inbox here would not show them.
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

/** SES: SendEmail into the inbox, and the suppression list, which also applies to Cognito's mail. */
export class EmailService implements MailCarrier {
  /** Origin of the API. Empty until the API is served. */
  endpoint = '';
  readonly #clock: Clock;
  readonly #inbox: Inbox;
  readonly #publish: ServiceContext['publish'];
  /** Suppressed addresses, by the address in lower case. */
  readonly #suppressed: Collection<Suppressed>;
  #identities = new Map<string, Sending>();

  constructor({
    clock,
    store,
    inbox,
    publish,
  }: Pick<ServiceContext, 'clock' | 'store' | 'inbox' | 'publish'>) {
    this.#clock = clock;
    this.#inbox = inbox;
    this.#publish = publish;
    this.#suppressed = store.collection('ses/suppressed');
    inbox.carrier = this;
  }

  update(stack: Stack): Promise<void> {
    this.#identities = new Map(
      stack.of('AWS::SES::EmailIdentity').map((resource) => {
        const { EmailIdentity, ConfigurationSetAttributes } = propertiesOf(IdentityProperties, resource);
        return [
          EmailIdentity.toLowerCase(),
          sendingWith(stack, ConfigurationSetAttributes?.ConfigurationSetName),
        ];
      }),
    );
    return Promise.resolve();
  }

  readonly handle = awsJson((call) => this.#answer(call));

  outcomeOf({ from, to }: Pick<Message, 'from' | 'to'>): MailOutcome {
    const sending = this.#sendingOf(addressIn(from) ?? '');
    // Mail from Cognito's own sender.
    if (!sending) return 'delivered';
    const reason = this.#suppressed.get(to.toLowerCase())?.reason;
    if (reason && sending.reasons.includes(reason)) return 'suppressed';
    return simulatorOutcome(to) ?? 'delivered';
  }

  returned(message: Message): void {
    const { outcome, from, to } = message;
    const sending = this.#sendingOf(addressIn(from) ?? '');
    if (!sending || outcome === 'delivered') return;
    const wasSent = outcome !== 'suppressed';
    const listed = wasSent ? undefined : this.#suppressed.get(to.toLowerCase())?.reason;
    const reason = listed ?? (outcome === 'complained' ? 'COMPLAINT' : 'BOUNCE');
    const now = this.#clock.now();
    if (wasSent && sending.reasons.includes(reason) && simulatorOutcome(to) === undefined) {
      this.#suppressed.put(to.toLowerCase(), { address: to, reason, since: now.toISOString() });
    }
    const { configurationSet, events } = sending;
    if (configurationSet === undefined || !events.has(reason.toLowerCase())) return;
    // The sender doesn't wait for the event.
    void this.#publish(returnedEvent(message, { reason, wasSent, configurationSet, now }));
  }

  suppressed(): readonly Suppressed[] {
    return this.#suppressed.list();
  }

  /** Takes an address off the list. False if the address isn't on it. */
  unsuppress(address: string): boolean {
    const key = address.toLowerCase();
    const isListed = this.#suppressed.get(key) !== undefined;
    this.#suppressed.delete(key);
    return isListed;
  }

  #answer({ route, body }: AwsCall): object {
    const [, method, address] =
      /^(GET|DELETE) \/v2\/email\/suppression\/addresses\/([^/]+)$/.exec(route) ?? [];
    if (address !== undefined) {
      const found = this.#suppressedDestination(address);
      if (method === 'GET') return found;
      this.unsuppress(decodedFrom(address));
      return {};
    }
    if (route !== 'POST /v2/email/outbound-emails') {
      throw new AwsRefusal(
        'NotFoundException',
        'The local world answers only SendEmail, GetSuppressedDestination and DeleteSuppressedDestination.',
        404,
      );
    }
    return this.#send(body);
  }

  #suppressedDestination(encoded: string): object {
    const address = decodedFrom(encoded);
    const entry = this.#suppressed.get(address.toLowerCase());
    if (!entry) {
      throw new AwsRefusal(
        'NotFoundException',
        `Email address ${address} does not exist on your suppression list.`,
        404,
      );
    }
    // Seconds.
    const LastUpdateTime = Date.parse(entry.since) / 1000;
    return { SuppressedDestination: { EmailAddress: address, Reason: entry.reason, LastUpdateTime } };
  }

  #send(body: Record<string, unknown>): object {
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
    if (!this.#sendingOf(from)) {
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

  /** The settings of the identity for the address, its domain or a parent domain. Undefined if none. */
  #sendingOf(mailbox: string): Sending | undefined {
    const address = mailbox.toLowerCase();
    const labels = address.slice(address.lastIndexOf('@') + 1).split('.');
    const names = [address, ...labels.map((_, index) => labels.slice(index).join('.'))];
    return names.map((name) => this.#identities.get(name)).find((sending) => sending !== undefined);
  }
}

function decodedFrom(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw badRequest('The address is not encoded as a part of a path.');
  }
}

const badRequest = (message: string) => new AwsRefusal('BadRequestException', message);

/** The address in a mailbox like `Selfsame <no-reply@selfsame.example>`. Undefined if there is none. */
function addressIn(mailbox: string): string | undefined {
  const address = /<([^<>]*)>\s*$/.exec(mailbox)?.[1] ?? mailbox;
  return /^\s*[^\s@<>,;]+@[^\s@<>,;]+\s*$/.test(address) ? address.trim() : undefined;
}

const asHtml = (text: string): string => markup`<pre>${text}</pre>`.source;
