import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import styles from './prose.module.css';

/** Text from `web/content`, as HTML. A link in it to a page of ours is followed as every other link of the site is. */
export function Prose({ html, size = 'regular' }: { html: string; size?: 'regular' | 'large' }) {
  const navigate = useNavigate();
  const follow = (event: MouseEvent<HTMLDivElement>) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const address = link?.getAttribute('href');
    const isPlain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!address?.startsWith('/') || !isPlain) return;
    event.preventDefault();
    void navigate(address);
  };
  return (
    // The links within are what is pressed, by keyboard too; this only hears of it.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events jsx-a11y/no-static-element-interactions
    <div
      className={styles.Prose}
      data-size={size}
      onClick={follow}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
