import { lazy, Suspense, useReducer } from 'react';
import { Button } from '../../components/button.tsx';
import styles from './hero-picture.module.css';

// The drawing never changes, so its script would do nothing in a page whose HTML already includes it.
const built = import.meta.env.SSR ? undefined : document.getElementById('hero')?.innerHTML;
const html = built ? { __html: built } : undefined;

const Drawing = import.meta.env.SSR
  ? (await import('./hero-drawing.tsx')).default
  : lazy(() => import('./hero-drawing.tsx').catch(() => ({ default: () => <></> })));

/**
 * The drawing, from the page's HTML. The script is loaded only if the user comes from another page. The rest
 * of the page does without it.
 */
export function HeroPicture() {
  // New elements play the drawing's animations from the start.
  const [plays, play] = useReducer((count: number) => count + 1, 0);
  return (
    <div className={styles.Hero}>
      {html ? (
        <div id="hero" key={plays} dangerouslySetInnerHTML={html} />
      ) : (
        <div id="hero" key={plays}>
          <Suspense>
            <Drawing />
          </Suspense>
        </div>
      )}
      <div className={styles.Again}>
        <Button tone="secondary" onClick={play}>
          See it again
        </Button>
      </div>
    </div>
  );
}
