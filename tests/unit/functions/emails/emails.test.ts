import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { accountDeletionEmail } from '../../../../functions/emails/account-deletion.ts';
import { accountDeletedEmail } from '../../../../functions/emails/account-deleted.ts';
import { accountIdleEmail } from '../../../../functions/emails/account-idle.ts';
import { confirmationEmail } from '../../../../functions/emails/confirmation.ts';
import { emailChangeUndoneEmail } from '../../../../functions/emails/email-change-undone.ts';
import { emailChangedEmail } from '../../../../functions/emails/email-changed.ts';
import { emailCodeEmail } from '../../../../functions/emails/email-code.ts';
import { emailInUseEmail } from '../../../../functions/emails/email-in-use.ts';
import { signInWithProviderEmail } from '../../../../functions/emails/sign-in-with-provider.ts';
import type { Email } from '../../../../functions/emails/layout.ts';
import { newSignInEmail } from '../../../../functions/emails/new-sign-in.ts';
import { passwordChangedEmail } from '../../../../functions/emails/password-changed.ts';
import { providerDisconnectedEmail } from '../../../../functions/emails/provider-disconnected.ts';
import { providerLinkedEmail } from '../../../../functions/emails/provider-linked.ts';
import { subscriptionCancelledEmail } from '../../../../functions/emails/subscription-cancelled.ts';
import { resetEmail } from '../../../../functions/emails/reset.ts';
import { notices } from '../../../../schemas/config/notices.ts';
import { product } from '../../../../schemas/product/product.ts';
import { importsIn } from '../../../fixtures/repository/import-graph.ts';

/** The faults of a mail: a remote resource, a missing value, or markup in its text version. */
const unwantedIn = ({ html, text }: Email) =>
  [/<(img|script|link|iframe)|url\(|src=|undefined/i.exec(html), /<[a-z!/]/i.exec(text)].filter(Boolean);

/** Both versions of a mail say all of this. */
const expectInBoth = (mail: Email, ...sentences: string[]) => {
  const { html, text } = mail;
  expect(unwantedIn(mail)).toEqual([]);
  for (const sentence of sentences) {
    expect(html).toContain(sentence);
    expect(text).toContain(sentence);
  }
};

describe('a mail that functions send', () => {
  const siteUrl = 'https://selfsame.example';
  const at = new Date('2026-01-20T23:05:00Z');

  test('about a changed password says when, where to choose another, and whether sessions were certainly ended', () => {
    const mail = passwordChangedEmail({ siteUrl, at });
    expect(mail.subject).toBe('Your Selfsame password was changed');
    expect(mail.html).toContain('href="https://selfsame.example/forgot-password"');
    expectInBoth(mail, 'on January 20, 2026 at 23:05 UTC', product.supportEmail);
    expect(mail.text).toContain('It was not me: https://selfsame.example/forgot-password');
    const claim = 'Every other session of the account was ended.';
    expect(mail.text).not.toContain(claim);
    expect(passwordChangedEmail({ siteUrl, at, sessionsEnded: true }).text).toContain(claim);
  });

  test('about a deleted account says when, what is deleted, what stays, and that nothing will be charged', () => {
    const mail = accountDeletedEmail({ subscriptionEnded: true, at });
    expect(mail.subject).toBe('Your Selfsame account was deleted');
    expectInBoth(
      mail,
      'on January 20, 2026 at 23:05 UTC',
      'Your Plus subscription ended',
      'Nothing will be charged again',
      'kept by Stripe',
      product.supportEmail,
    );
  });

  test.each([
    [false, 'Your Selfsame account will be deleted on January 20, 2026', 'We will write once more'],
    [
      true,
      'Last notice: your Selfsame account will be deleted on January 20, 2026',
      'This is the last email',
    ],
  ])('about an idle account says when it is deleted and how to keep it (last: %s)', (isLast, title, says) => {
    const mail = accountIdleEmail({ siteUrl, user: 'ada', deletionAt: at, isLast });
    expect(mail.subject).toBe(title);
    expect(mail.html).toContain('href="https://selfsame.example/login"');
    expectInBoth(
      mail,
      'sign in once on our site before January 20, 2026',
      says,
      'nothing is charged',
      product.supportEmail,
    );
  });

  const linked = { provider: 'google', siteUrl, token: 'ada.secret', hasPassword: true, at } as const;
  const earlier = { email: 'ada@example.com', replacedAt: new Date('2026-01-18T08:00:00Z') };
  const wayBack =
    'press the button in our email of that day, “The address of your Selfsame account is being changed”';

  test('about a linked provider says which, when, and how to take it off', () => {
    const mail = providerLinkedEmail(linked);
    expect(mail.subject).toBe('Google now opens your Selfsame account');
    expect(mail.html).toContain('href="https://selfsame.example/undo-email#ada.secret"');
    expectInBoth(
      mail,
      'On January 20, 2026 at 23:05 UTC',
      'the button disconnects Google again',
      'It works for 7 days',
      'a new password: the current one stops working',
    );
    const { text } = providerLinkedEmail({ ...linked, hasPassword: false });
    expect(text).not.toContain('a new password: the one');
    expect(text).toContain('The other ways to sign in still work');
  });

  test.each([
    providerLinkedEmail({ ...linked, earlier }),
    passwordChangedEmail({ siteUrl, at, earlier }),
    providerDisconnectedEmail({ provider: 'google', siteUrl, at, earlier }),
    subscriptionCancelledEmail({ siteUrl, lastsUntil: at, earlier }),
    newSignInEmail({ siteUrl, at, kind: 'Unknown browser', hasPassword: true, earlier }),
  ])('to an earlier address says how it takes the account back, and has no button: $subject', (mail) => {
    expectInBoth(mail, 'January 20, 2026', 'until January 18, 2026', wayBack);
    expect(mail.html).not.toContain('class="button"');
  });

  test('about a new sign-in names the browser and the time, and leads to a new password or to the dashboard', () => {
    const about = { siteUrl, at, kind: 'Firefox on Windows' };
    const mail = newSignInEmail({ ...about, hasPassword: true });
    expect(mail.subject).toBe('New sign-in to your Selfsame account');
    expectInBoth(mail, 'January 20, 2026 at 23:05 UTC', 'Firefox on Windows', 'choose a new password');
    expect(mail.html).toContain('href="https://selfsame.example/forgot-password"');
    const withoutPassword = newSignInEmail({ ...about, hasPassword: false });
    expect(withoutPassword.html).toContain('href="https://selfsame.example/dashboard"');
    expect(withoutPassword.text).not.toContain('choose a new password');
  });

  test('about a deletion that waits says until when it can be taken back, by whom, and why it waits', () => {
    const about = { siteUrl, token: 'ada.secret', at, dueAt: new Date('2026-01-25T08:00:00Z') };
    const own = accountDeletionEmail(about);
    expect(own.subject).toBe('Your Selfsame account will be deleted on January 25, 2026');
    expect(own.html).toContain('href="https://selfsame.example/undo-email#ada.secret"');
    expectInBoth(own, 'on January 25, 2026 at 08:00 UTC', 'Keep my account', 'Nothing more is charged');
    const first = accountDeletionEmail({ ...about, earlier });
    expectInBoth(first, 'had this address until January 18, 2026', 'It was not me', 'less than a week ago');
  });

  test('to a new address has the code and names no account', () => {
    const { html, text } = emailCodeEmail({ code: '123456' });
    for (const body of [html, text]) {
      expect(body).toContain('123456');
      // There is no button to press instead.
      expect(body).toMatch(/\bType this code on the page/);
      expect(body).toContain('good for 15 minutes');
      expect(body).not.toContain('@example.com');
    }
  });

  test('to the address of another account has no code, and leads to the sign-in', () => {
    const { html, text } = emailInUseEmail({ siteUrl });
    expect(html).toContain('href="https://selfsame.example/login"');
    expect(text).not.toMatch(/code|\d{6}/i);
    expect(text).toContain('nothing was changed');
  });

  test('to an earlier address says when, for how long it can be undone, and carries the token after the #', () => {
    const mail = emailChangedEmail({ siteUrl, token: 'ada.secret', at });
    // It is sent before.
    expect(mail.subject).toContain('is being changed');
    expect(mail.html).toContain('href="https://selfsame.example/undo-email#ada.secret"');
    expectInBoth(mail, 'on January 20, 2026 at 23:05 UTC', 'seven days', `write to ${product.supportEmail}`);
  });

  test('to an address that was replaced says when, and that someone may read the other mailbox', () => {
    const { text } = emailChangeUndoneEmail({ at });
    expect(text).toContain('On January 20, 2026 at 23:05 UTC');
    expect(text).toContain('every session was ended');
    expect(text).toContain(`Write to ${product.supportEmail}`);
  });

  test('with a code or a link says in its text version too what it is for, and has both', () => {
    const confirmation = confirmationEmail({ siteUrl, email: 'ada@example.com', code: '123456' });
    expect(confirmation.text).toContain('Please confirm that ada@example.com is yours.');
    expect(confirmation.text).toContain('Or type this code on the page: 123456');
    const reset = resetEmail({ siteUrl, userName: 'user', code: '123456' });
    expect(reset.text).toContain('asked for a new password for your Selfsame account');
    expect(reset.text).toContain(`${siteUrl}/reset-password?access_token=123456&refresh_token=user`);
  });

  test('about a deleted account mentions a subscription or an idle year only if there was one, and has no button', () => {
    const { html, text } = accountDeletedEmail({ subscriptionEnded: false, at });
    expect(html + text).not.toMatch(/subscription|Nobody/);
    expect(accountDeletedEmail({ subscriptionEnded: false, at, wasIdle: true }).text).not.toContain(
      'did not ask',
    );
    expect(text).toContain('Nothing will be charged again');
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, address]) => address)).toEqual([
      `mailto:${product.supportEmail}`,
    ]);
  });

  test.each([
    confirmationEmail({ siteUrl, email: 'ada@example.com', code: '123456' }),
    resetEmail({ siteUrl, userName: 'user', code: '123456' }),
    providerLinkedEmail({ ...linked, hasPassword: false }),
    subscriptionCancelledEmail({ siteUrl, lastsUntil: undefined, earlier }),
    accountDeletedEmail({ subscriptionEnded: false, at, wasIdle: true }),
    emailCodeEmail({ code: '123456' }),
    emailInUseEmail({ siteUrl }),
    providerDisconnectedEmail({ provider: 'github', siteUrl, at }),
    signInWithProviderEmail({ providers: ['google'], siteUrl }),
    emailChangeUndoneEmail({ at }),
  ])('loads no remote resource, and has no markup in its text version, as all: $subject', (mail) => {
    expect(unwantedIn(mail)).toEqual([]);
  });
});

// The local world's gallery shows the mails that Cognito's trigger writes, and every notice.
test('every mail is a notice or written by the custom-message trigger, so the gallery shows it', () => {
  const trigger = 'functions/triggers/custom-message.ts';
  const imported = importsIn(readFileSync(trigger, 'utf8'), trigger);
  const parts = ['earlier-mailbox.ts', 'layout.ts', 'moment.ts', 'plus-terms.ts'];
  const mails = readdirSync('functions/emails').filter((file) => !parts.includes(file));
  const written = mails.filter((file) => imported.includes(`functions/emails/${file}`));
  expect(written).toEqual(['confirmation.ts', 'reset.ts']);
  expect(mails).toEqual([...written, ...Object.keys(notices).map((name) => `${name}.ts`)].toSorted());
});
