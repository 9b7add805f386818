import { useEffect, useState } from 'react';
import { Link, NavLink } from 'react-router-dom';
import { product } from '../../../../schemas/product/product.ts';
import { ButtonLink, buttonProps } from '../button.tsx';
import { Mark } from '../mark.tsx';
import { currentSession, useSession } from '../../session/session.ts';
import { useCameFrom } from '../../navigation/use-came-from.ts';
import { NavigationLink } from './navigation-link.tsx';
import { navigation } from './navigation.ts';
import { Sidebar } from './sidebar.tsx';
import { SignOutButton } from '../sign-out-button.tsx';
import styles from './top-bar.module.css';

// Pixels.
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
          <span>{product.name}</span>
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
 * Every page contains both variants, since its HTML is the same for every user, and an attribute of the
 * document shows one of them before the first paint. A remembered session counts as signed in while it loads,
 * which is nearly always right. On the sign-in pages, the links pass on the page that the user came from.
 */
function AccountLinks() {
  const cameFrom = useCameFrom();
  return (
    <>
      <div data-for="visitor">
        <ButtonLink to="/login" state={cameFrom} tone="quiet">
          Sign In
        </ButtonLink>
        <ButtonLink to="/signup" state={cameFrom}>
          Get Started
        </ButtonLink>
      </div>
      <div data-for="holder">
        <NavLink to="/dashboard" {...buttonProps({ tone: 'secondary' })}>
          Dashboard
        </NavLink>
        <SignOutButton tone="quiet" />
      </div>
    </>
  );
}

/** Updates the document's `data-session`, by which base.css shows content to visitors or account holders. */
function useSessionAttribute(): void {
  const { kind } = useSession();
  useEffect(() => {
    // During hydration the hook returns the server's value, which knows no session.
    if (kind !== currentSession().kind) return;
    document.documentElement.dataset['session'] =
      kind === 'signed-in' || kind === 'loading' ? 'holder' : 'visitor';
  }, [kind]);
}

function useScrolled(): boolean {
  const [scrolled, setScrolled] = useState(false);
  useEffect(() => {
    const update = () => setScrolled(window.scrollY > SCROLLED_PAST);
    update();
    addEventListener('scroll', update, { passive: true });
    return () => removeEventListener('scroll', update);
  }, []);
  return scrolled;
}
