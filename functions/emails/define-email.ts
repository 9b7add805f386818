import type { Facts, otherFacts } from './example-facts.ts';
import { compose, type EmailContent, type Notice } from './layout.ts';

/** The input of a mail: facts by their names, and more of its own. */
export type Of<Name extends keyof Facts, Own = unknown> = Pick<Facts, Name> & Own;

/** The input of a mail about a plan. */
export type OfPlan<Name extends keyof Facts, Own = unknown> = Of<'siteUrl' | 'name' | 'standing' | Name, Own>;

type Variant<Input> = Partial<Input> & Omit<Input, keyof Facts>;

interface Definition<Name, Input> {
  /** The mail's file in `functions/emails`, and the value of its SES tag `notice`. */
  name: Name;
  /** Ends the sentence “We email you when …” in the privacy policy. */
  occasion: string;
  compose: (input: Input) => EmailContent & Pick<Notice, 'user'>;
  /** Variants worth reading, by what is special about them: the facts that aren't those of `exampleFacts`. */
  examples: (other: typeof otherFacts & { siteUrl: string }) => Record<string, Variant<NoInfer<Input>>>;
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
    const { exampleFacts, otherFacts: other } = await import('./example-facts.ts');
    const facts = exampleFacts(siteUrl);
    const variants = Object.entries<object>(examples({ ...other, siteUrl }));
    return Object.fromEntries(
      variants.map(([variant, own]) => [variant, email({ ...facts, ...own } as Input)]),
    );
  };
  return Object.assign(email, { occasion, composeExamples });
}
