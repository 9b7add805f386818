import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { legalVersions } from '../../schemas/product/legal-versions.ts';
import { product } from '../../schemas/product/product.ts';
import { type PersonalTable } from '../../schemas/tables.ts';
import { contentFolder, withFacts } from '../../web/build/content.ts';

/**
 * The text of each version with its facts, such as limits and periods, as a hash. A text that users have
 * accepted needs a new version, with a new line here. A text that was never deployed may replace its hash.
 */
const texts = {
  terms: { '1.0': 'ab967511d10e22fa' },
  privacy: { '1.0': '37b3c8e96592a1b5' },
};

const filesOf = (name: 'terms' | 'privacy') => globSync(`web/content/legal/${name}/*.md`).toSorted();
const textOf = (file: string) => readFileSync(file, 'utf8').replaceAll('\r\n', '\n');

/** The text that users accept. The product's name and address, and the list of mails, are no part of it. */
const acceptedIn = (file: string): string =>
  withFacts(contentFolder, file, textOf(file).replaceAll(/\{\{(?=product|legal|emails)/g, '{ {')).replaceAll(
    product.name,
    '',
  );

test.each(['terms', 'privacy'] as const)('the text of %s changes only with its version', (name) => {
  const hash = createHash('sha256');
  for (const file of filesOf(name)) hash.update(`${file}\0${acceptedIn(file)}\0`);
  const { version } = legalVersions[name];
  expect({ [version]: hash.digest('hex').slice(0, 16) }).toEqual({ [version]: texts[name][version] });
});

describe('the privacy policy names the data', () => {
  const policy = filesOf('privacy').map(textOf).join('\n');
  /** The policy's words about each table. */
  const words: Record<PersonalTable, string> = {
    UserPlans: 'With your account we keep your plan',
    Waitlist: 'we keep the name and the email address you enter',
    StripeWork: 'the identifiers under which our payment provider knows you',
    AddressChanges: 'If you ask for another email address, we keep it until',
    Proofs: 'What they need, your address and for a change the identifier of your account',
    Addresses: 'we ask for your name, your email address',
    AppCodes: 'If you sign in to an app with your account, we keep the app’s address',
    AppSessions: 'a record of each browser that you sign in with',
    SupportAudit: 'What our support does with an account is recorded',
  };

  test.each(Object.entries(words))('of the table %s', (_, passage) => {
    expect(policy).toContain(passage);
  });
});
