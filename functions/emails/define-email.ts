import type { ExampleFacts } from './example-facts.ts';
import { compose, type EmailContent, type Notice } from './layout.ts';

interface Definition<Name, Input> {
  /** The mail's file in `functions/emails`, and the value of its SES tag `notice`. */
  name: Name;
  /** Ends the sentence “We email you when …” in the privacy policy and in the local world's gallery. */
  occasion: string;
  compose: (input: Input) => EmailContent & Pick<Notice, 'user'>;
  /** An input for each variant worth reading, by what is special about it. */
  examples: (facts: ExampleFacts) => Record<string, NoInfer<Input>>;
}

/**
 * A mail, as a function from an input to the laid out mail. There is no list of mails: the tests, the privacy
 * policy and the local world's gallery find them in the files of this folder.
 */
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
