import { randomUUID } from 'node:crypto';
import { product } from '../../schemas/product/product.ts';
import type { World } from '../fixtures/worlds/world.ts';
import { signInToApp } from './app-sign-in.ts';
import type { Engine } from './engine.ts';
import { Visitor } from './visitor.ts';

export interface Check {
  title: string;
  run: () => Promise<void>;
  /** The checks after it need it. */
  isNeeded?: true;
}

/** Paths of the built pages. */
interface Pages {
  all: readonly string[];
  /** Those that search engines don't list: the pages for accounts. */
  unlisted: readonly string[];
}

const CARD = { number: '4242 4242 4242 4242', expiry: '12 / 40', cvc: '123' } as const;
// Opens the app by its own address. Chromium then asks the user and takes no clicks, and WebKitGTK's
// MiniBrowser shows an error page. So this page comes last.
const OPENS_APP = '/hits';
const stays = (path: string): boolean => path !== OPENS_APP;
const NAME = 'Ada Lovelace';
const PASSWORD = 'correct horse';

/** The checks in a browser, in order. */
export function checksOf(engine: Engine, world: World, pages: Pages): Check[] {
  const visitor = new Visitor(engine, world.origin);
  const email = `ada.${randomUUID()}@example.com`;
  /** An error says where the visitor was. */
  const check = (title: string, run: () => Promise<void>): Check => ({
    title,
    run: async () => {
      try {
        await run();
        await visitor.expectNoFaults();
      } catch (cause) {
        throw new Error(`On ${await visitor.describe()}`, { cause });
      }
    },
  });
  const needed = (title: string, run: () => Promise<void>): Check => ({
    ...check(title, run),
    isNeeded: true,
  });
  const open = (path: string, who: string): Check =>
    check(`${path} opens for ${who}, and is left, without an error`, async () => {
      await visitor.open(path);
      await visitor.expectNoFaults();
      await leave(visitor);
    });
  return [
    ...pages.all.filter(stays).map((path) => open(path, 'a visitor')),
    needed('a visitor signs up and confirms the address', async () => {
      await visitor.open('/signup');
      await visitor.fill('Full name', NAME);
      await visitor.fill('Email', email);
      await visitor.fill('Password', PASSWORD);
      await visitor.fill('Confirm password', PASSWORD);
      await visitor.click('button', 'Create Account');
      await visitor.see('heading', 'Check your email');
      await visitor.open((await world.mailTo(email)).links[0]!.slice(world.origin.length));
      await visitor.click('button', 'Confirm Email');
      await visitor.see('heading', `Welcome, ${NAME}`);
    }),
    needed('a user signs out and in again', async () => {
      await signOut(visitor);
      await visitor.fill('Email', email);
      await visitor.fill('Password', PASSWORD);
      await visitor.click('button', 'Sign In');
      await visitor.see('heading', `Welcome, ${NAME}`);
    }),
    ...['/', '/pricing', ...pages.unlisted].filter(stays).map((path) => open(path, 'a user on Free')),
    needed('a user buys Plus', async () => {
      await visitor.open('/pricing');
      await visitor.click('link', 'Upgrade to Plus');
      await visitor.inFrame('Secure payment input frame', async () => {
        await visitor.fill('Card number', CARD.number);
        await visitor.fill('Expiration', CARD.expiry);
        await visitor.fill('CVC', CARD.cvc);
        await visitor.fill('Cardholder name', NAME);
        await visitor.click('button', 'Subscribe');
      });
      await visitor.see('heading', 'Payment Successful!');
      await visitor.click('link', 'Go to Dashboard');
      await visitor.see('heading', `Welcome, ${NAME}`);
    }),
    needed('a payer cancels', async () => {
      await visitor.open('/cancel');
      await visitor.click('button', 'Yes, Cancel My Subscription');
      await visitor.see('heading', 'Subscription Cancelled');
    }),
    needed('a user signs out', async () => {
      await signOut(visitor);
      await visitor.open('/dashboard');
      await visitor.see('heading', 'Welcome back');
    }),
    check('a user signs in to an app, which gets a code and exchanges it', () =>
      signInToApp(visitor, world, { name: NAME, email: `app.${email}` }),
    ),
    check(`${OPENS_APP} opens without an error`, () => visitor.openPageOfApp(OPENS_APP)),
  ];
}

async function signOut(visitor: Visitor): Promise<void> {
  await visitor.open('/dashboard');
  await visitor.click('button', 'Open menu');
  await visitor.click('button', 'Sign Out');
  await visitor.see('heading', 'Welcome back');
}

/** Leaves the page by the link to the landing page in its bar, without a page load. */
async function leave(visitor: Visitor): Promise<void> {
  if ((await visitor.path()) === '/') return;
  await visitor.click('link', product.name);
  await visitor.see('heading', product.tagline);
}
