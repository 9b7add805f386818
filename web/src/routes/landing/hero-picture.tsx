import { lazy, Suspense, useEffect, useReducer, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import styles from './hero-picture.module.css';

// The drawing never changes, so its script would do nothing in a page whose HTML already includes it.
const built = import.meta.env.SSR ? undefined : document.getElementById('hero')?.innerHTML;
const html = built ? { __html: built } : undefined;

const Drawing = import.meta.env.SSR
  ? (await import('./hero-drawing.tsx')).default
  : lazy(() => import('./hero-drawing.tsx').catch(() => ({ default: () => <></> })));

const TryOut = lazy(() => import('./try-out.tsx'));

/**
 * The drawing, from the page's HTML. The script is loaded only if the user comes from another page. The rest
 * of the page does without it.
 */
export function HeroPicture() {
  // New elements play the drawing's animations from the start.
  const [plays, play] = useReducer((count: number) => count + 1, 0);
  const picture = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  // The last selection in the letter, which the press of a button takes away.
  const [selection, setSelection] = useState<Range>();
  // Each time is a new window.
  const [tries, setTries] = useState(0);
  const open = () => setTries((count) => count + 1);
  const stop = () => {
    setTries(0);
    setSelection(undefined);
  };

  useEffect(() => {
    const inLetter = () => {
      const range = getSelection()?.rangeCount ? getSelection()?.getRangeAt(0) : undefined;
      return range && picture.current?.contains(range.startContainer) ? range : undefined;
    };
    const select = () => {
      const range = inLetter();
      if (range && !range.collapsed) setSelection(range);
    };
    const press = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.key !== 'g' || !inLetter()) return;
      event.preventDefault();
      setTries((count) => count + 1);
    };
    document.addEventListener('selectionchange', select);
    addEventListener('keydown', press);
    return () => {
      document.removeEventListener('selectionchange', select);
      removeEventListener('keydown', press);
    };
  }, []);

  return (
    // The attribute hides the drawing's own window behind that of try-out.tsx.
    <div ref={picture} className={styles.Hero} data-trying={tries > 0 || undefined}>
      {html ? (
        <div id="hero" key={plays} dangerouslySetInnerHTML={html} />
      ) : (
        <div id="hero" key={plays}>
          <Suspense>
            <Drawing />
          </Suspense>
        </div>
      )}
      <div className={styles.Again} data-scripted>
        <Button ref={button} tone="quiet" onClick={open}>
          Try it here
        </Button>
        <Button
          tone="quiet"
          onClick={() => {
            stop();
            play();
          }}
        >
          See it again
        </Button>
      </div>
      {tries > 0 && (
        <Suspense>
          <TryOut
            key={tries}
            letter={picture}
            selection={selection}
            onClose={() => {
              stop();
              button.current?.focus({ preventScroll: true });
            }}
          />
        </Suspense>
      )}
    </div>
  );
}
