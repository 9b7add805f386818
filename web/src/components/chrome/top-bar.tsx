import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { product } from '../../../../schemas/product.ts';
import { ButtonLink } from '../button.tsx';
import { Mark } from '../mark.tsx';
import { currentSession, useSession } from '../../session/session.ts';
import { NavigationLink } from './navigation-link.tsx';
import { navigation } from './navigation.ts';
import { Sidebar } from './sidebar.tsx';
import { SignOutButton } from '../sign-out-button.tsx';
import styles from './top-bar.module.css';

// Specification, section 9.
const SCROLLED_PAST = 50;

export function TopBar() {
  const scrolled = useScrolled();
  useSessionAttribute();
  const [open, setOpen] = useState(false);
  return (
    <header className={styles.TopBar} data-scrolled={scrolled}>
      <div className={styles.Inner}>
        <Link to="/" className={styles.Logo}>
          <Mark />
          {product.name}
        </Link>
        <nav className={styles.Links} aria-label="Main">
          {navigation.map(({ label, to }) => (
            <NavigationLink key={to} to={to} className={styles.Link}>
              {label}
            </NavigationLink>
          ))}
        </nav>
        <div className={styles.Account}>
          <AccountLinks />
        </div>
        <button
          type="button"
          className={styles.Menu}
          aria-label="Open menu"
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => setOpen(true)}
        >
          <span aria-hidden="true" />
        </button>
      </div>
      <Sidebar open={open} onClose={() => setOpen(false)}>
        <AccountLinks />
      </Sidebar>
    </header>
  );
}

/**
 * Both variants stand in every page, since the HTML is the same for everybody, and an attribute of the document picks one
 * before the first paint. While a remembered session loads, its holder is taken to be signed in: that is nearly always so.
 */
function AccountLinks() {
  return (
    <>
      <div data-for="visitor">
        <ButtonLink to="/login" tone="quiet">
          Sign In
        </ButtonLink>
        <ButtonLink to="/signup">Get Started</ButtonLink>
      </div>
      <div data-for="holder">
        <ButtonLink to="/dashboard" tone="secondary">
          Dashboard
        </ButtonLink>
        <SignOutButton tone="quiet" />
      </div>
    </>
  );
}

/** Keeps `data-session` of the document, by which base.css shows what is for visitors or for account holders. */
function useSessionAttribute(): void {
  const { kind } = useSession();
  useEffect(() => {
    // Hydrating, the hook answers as the server did, which knows nobody.
    if (kind !== currentSession().kind) return;
    document.documentElement.dataset['session'] =
      kind === 'signed-in' || kind === 'loading' ? 'holder' : 'visitor';
  }, [kind]);
}

function useScrolled(): boolean {
  const [scrolled, setScrolled] = useState(false);
  useEffect(() => {
    const look = () => setScrolled(window.scrollY > SCROLLED_PAST);
    look();
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, []);
  return scrolled;
}
