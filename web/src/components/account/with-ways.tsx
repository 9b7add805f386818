import { product } from '../../../../schemas/product/product.ts';
import { useSession } from '../../session/session.ts';
import { Way } from './way.tsx';

const WAYS = new RegExp(
  `(choose a new password|"Forgot your password\\?"|sign (?:in|up)(?: again)?|${product.supportEmail})`,
  'i',
);

/** A refusal's sentence, with links where it names a way on. A signed-in user needs none to sign in. */
export function WithWays({ sentence, email }: { sentence: string; email?: string | undefined }) {
  const isSignedIn = useSession().kind === 'signed-in';
  // Every second part matches.
  return sentence.split(WAYS).map((part, index) => {
    const to = index % 2 === 1 && pathOf(part, isSignedIn);
    if (to === false || to === null || to === location.pathname) return part;
    return to.startsWith('mailto:') ? (
      <a key={index} href={to}>
        {part}
      </a>
    ) : (
      <Way key={index} to={to} email={email}>
        {part}
      </Way>
    );
  });
}

function pathOf(way: string, isSignedIn: boolean): string | null {
  if (way === product.supportEmail) return `mailto:${way}`;
  if (/password/i.test(way)) return '/forgot-password';
  if (isSignedIn) return null;
  return /up/i.test(way) ? '/signup' : '/login';
}
