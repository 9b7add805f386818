import { type ReactNode, useEffect, useId } from 'react';
import { useLocation } from 'react-router-dom';
import { Dialog } from '../dialog.tsx';
import { NavigationLink } from './navigation-link.tsx';
import { navigation } from './navigation.ts';
import styles from './sidebar.module.css';

interface SidebarProps {
  open: boolean;
  onClose: () => void;
  /** What stands below the pages. */
  children: ReactNode;
}

// Specification, section 9: up to 900 px the bar is a menu.
const WIDE = '(min-width: 901px)';

/** The navigation of narrow windows. It closes once it has led somewhere, and when the window gets wide. */
export function Sidebar({ open, onClose, children }: SidebarProps) {
  const title = useId();
  const { key } = useLocation();

  useEffect(() => {
    onClose();
    // Whoever opens it passes a function of its own each time; only the route closes it.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key]);

  useEffect(() => {
    const wide = matchMedia(WIDE);
    const closeIfWide = () => {
      if (wide.matches) onClose();
    };
    wide.addEventListener('change', closeIfWide);
    return () => wide.removeEventListener('change', closeIfWide);
  });

  return (
    <Dialog open={open} onClose={onClose} labelledBy={title} className={styles.Sidebar}>
      <div className={styles.Content}>
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
