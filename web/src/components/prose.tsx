import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import styles from './prose.module.css';

// Matches outside of tags, and so outside of addresses.
const SHORT_COMPOUNDS = /\bsign-(?:in|out|up)s?\b(?![^<]*>)/gi;

/** Keeps together words that browsers would break after a hyphen, leaving one letter or syllable. */
const unbroken = (html: string) => html.replaceAll(SHORT_COMPOUNDS, '<span data-unbroken>$&</span>');

/** HTML from `web/content`. Links to pages of the site go through the router. */
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
    // The keyboard reaches the links inside, whose click events bubble up to this handler.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events jsx-a11y/no-static-element-interactions
    <div
      className={styles.Prose}
      data-stack="4"
      data-size={size}
      onClick={follow}
      dangerouslySetInnerHTML={{ __html: unbroken(html) }}
    />
  );
}
