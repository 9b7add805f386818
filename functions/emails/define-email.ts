import type { ProviderKey } from '../../schemas/product/providers.ts';
import type { Payment, Refund } from '../../schemas/rows/notified.ts';
import type { Standing } from '../../schemas/shapes/standing.ts';
import type { ExampleFacts } from './example-facts.ts';
import { compose, type EmailContent, type Notice } from './layout.ts';

/** The facts that mails are written from. */
interface Facts {
  siteUrl: string;
  at: Date;
  /** The account's `sub`. */
  user: string;
  /** Whether the account has a password. */
  hasPassword: boolean;
  provider: ProviderKey;
  /** The providers that an act has taken off. @default none */
  removed?: readonly ProviderKey[];
  /** Whether a sign-in with a provider has brought an address. @default false */
  byProvider?: boolean;
  /** A text of `browserKind`. */
  kind: string;
  /** Stands after `#`, so that it appears in no log and no Referer. */
  token: string;
  /** The result of `recoveryLink` or `resetLink`. */
  url: string;
  /** The plan's name. */
  name: string;
  standing: Standing;
  paid: Payment;
  subscriptionEnded: boolean;
  /** Whether the account was deleted because nobody had signed in for a year. @default false */
  wasIdle?: boolean;
  deletionAt: Date;
  /** Whether no other mail comes before the deletion. */
  isLast: boolean;
  /** Whether all earlier sessions have certainly ended. @default false */
  sessionsEnded?: boolean;
  /** Whether the plan had ended meanwhile. */
  wasLost: boolean;
  failed: Extract<Standing, { kind: 'failed' }>;
  refunded: Refund;
  /** Unix seconds. */
  boughtAt: number;
  /** Undefined where the buyer can't withdraw. */
  withdrawUntil: Date | undefined;
  /** Undefined if the plan ended at once: a payment was due. */
  lastsUntil: Date | undefined;
  complimentary: boolean;
  /** The plan's end, ISO 8601. */
  ends: string;
  /** Whether support has waived a payment that had failed. */
  isForgiven: boolean;
  /** Whole or half years. */
  years: number;
}

/** The input of a mail: facts by their names, and more of its own. */
export type Of<Name extends keyof Facts, Own = unknown> = Pick<Facts, Name> & Own;

/** The input of a mail about a plan. */
export type OfPlan<Name extends keyof Facts, Own = unknown> = Of<'siteUrl' | 'name' | 'standing' | Name, Own>;

interface Definition<Name, Input> {
  /** The mail's file in `functions/emails`, and the value of its SES tag `notice`. */
  name: Name;
  /** Ends the sentence “We email you when …” in the privacy policy. */
  occasion: string;
  compose: (input: Input) => EmailContent & Pick<Notice, 'user'>;
  /** An input for each variant worth reading, by what is special about it. */
  examples: (facts: ExampleFacts) => Record<string, NoInfer<Input>>;
}

/** Makes a mail's function. The privacy policy finds the mails in the files of this folder. */
export function defineEmail<const Name extends string, Input>({
  name,
  occasion,
  compose: write,
  examples,
}: Definition<Name, Input>) {
  const email = (input: Input): Notice & { name: Name } => {
    const { user, ...content } = write(input);
    return { name, ...(user !== undefined && { user }), ...compose(content) };
  };
  /** The mail of each example. Its links lead to `siteUrl`. */
  const composeExamples = async (siteUrl: string): Promise<Record<string, Notice>> => {
    // Imported on demand: no function needs them.
    const { exampleFacts } = await import('./example-facts.ts');
    const resetUrl = `${siteUrl}/reset-password?access_token=a-token&refresh_token=a-sub`;
    const inputs = Object.entries(examples({ ...exampleFacts, siteUrl, resetUrl }));
    return Object.fromEntries(inputs.map(([variant, input]) => [variant, email(input)]));
  };
  return Object.assign(email, { occasion, composeExamples });
}
