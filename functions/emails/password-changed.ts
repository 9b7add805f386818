import { product } from '../../schemas/product/product.ts';
import { defineEmail, type Of } from './define-email.ts';
import { momentInWords } from './moment.ts';
import { waysInSentences } from './ways-in.ts';
import { KEEP } from './reset.ts';

export const passwordChangedEmail = defineEmail({
  name: 'password-changed',
  occasion: 'your password was changed or reset',
  compose: ({ url, at, sessionsEnded, removed }: Of<'at' | 'url' | 'sessionsEnded' | 'removed'>) => ({
    subject: `Your ${product.name} password was changed`,
    preview: 'If that was you, no action is needed.',
    heading: 'Your password was changed',
    paragraphs: [
      `The password of your ${product.name} account was changed on ${momentInWords(at)}.${sessionsEnded ? ' Every other session was signed out.' : ''}`,
      ...waysInSentences(removed),
      "If it wasn't you, press the button and choose a new one now: that signs you out everywhere.",
      'If that was you, no action is needed.',
    ],
    button: { label: "This wasn't me", url },
    closing: `Then write to ${product.supportEmail}, so that we can look into it with you. ${KEEP}`,
  }),
  examples: ({ provider }) => ({
    'sessions may live on': {},
    'sessions have ended': { sessionsEnded: true },
    'a provider was taken off': { sessionsEnded: true, removed: [provider] },
  }),
});
