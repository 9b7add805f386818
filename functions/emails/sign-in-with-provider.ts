import { product } from '../../schemas/product/product.ts';
import { namesOf, providers as catalogue } from '../../schemas/product/providers.ts';
import { defineEmail, type Of } from './define-email.ts';

export const signInWithProviderEmail = defineEmail({
  name: 'sign-in-with-provider',
  occasion: 'someone asks for a new password, and your account has none because a provider opens it',
  compose: ({ providers, siteUrl }: Of<'siteUrl' | 'providers'>) => {
    const ways = namesOf(providers);
    const { name } = catalogue[providers[0]];
    return {
      subject: `You sign in to ${product.name} with ${ways}`,
      preview: 'Your account has no password.',
      heading: `You sign in with ${ways}`,
      paragraphs: [
        `Someone, perhaps you, asked for a new password for the ${product.name} account with this email address. The account has no password: you created it with ${ways}, and that is still how you sign in.`,
        `Press “Continue with ${name}” on our sign-in page, and choose the ${name} account that has this address.`,
      ],
      button: { label: 'Sign In', url: `${siteUrl}/login` },
      closing: "If it wasn't you, you can ignore this message: nothing was changed.",
    };
  },
  examples: () => ({ 'one provider': {} }),
});
