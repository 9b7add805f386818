import { type ReactNode, useEffect, useEffectEvent, useId } from 'react';
import { useLocation } from 'react-router-dom';
import { Dialog } from '../dialog.tsx';
import { NavigationLink } from './navigation-link.tsx';
import { navigation } from './navigation.ts';
import styles from './sidebar.module.css';

interface SidebarProps {
  open: boolean;
  onClose: () => void;
  /** Shown below the links. */
  children: ReactNode;
}

// Up to 900 px, or more with larger text, the top bar shows a menu button instead of links.
const NARROW = '(max-width: 56.25em)';

/** The navigation of narrow windows. Closes on navigation and when the window becomes wide. */
export function Sidebar({ open, onClose, children }: SidebarProps) {
  const title = useId();
  const { key } = useLocation();
  const close = useEffectEvent(onClose);

  useEffect(() => {
    close();
    // The effect doesn't read the key: a new key is a navigation.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key]);

  useEffect(() => {
    if (!open) return undefined;
    const narrow = matchMedia(NARROW);
    const closeIfWide = () => {
      if (!narrow.matches) close();
    };
    // The window may have grown before the listener was added.
    closeIfWide();
    narrow.addEventListener('change', closeIfWide);
    return () => narrow.removeEventListener('change', closeIfWide);
  }, [open]);

  return (
    <Dialog open={open} onClose={onClose} labelledBy={title} className={styles.Sidebar}>
      <div className={styles.Content} data-stack="5">
        <div className={styles.Head}>
          <h2 id={title}>Navigation</h2>
          <button type="button" className={styles.Close} aria-label="Close menu" onClick={onClose}>
            <span aria-hidden="true">×</span>
          </button>
        </div>
        <nav className={styles.Links} aria-label="Main">
          {navigation.map(({ label, to }) => (
            <NavigationLink key={to} to={to} className={styles.Link} onClick={onClose}>
              {label}
            </NavigationLink>
          ))}
        </nav>
        <div className={styles.Account}>{children}</div>
      </div>
    </Dialog>
  );
}
