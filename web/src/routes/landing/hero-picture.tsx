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

/** Opens the app's window at the visitor's selection in the letter, by a button or by Command+G. */
function useTryOut() {
  const picture = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  // Pressing the button takes the selection away.
  const selection = useRef<Range>(undefined);
  // Each time is a new window.
  const [tries, setTries] = useState(0);
  const open = () => setTries((count) => count + 1);
  useEffect(() => {
    const select = () => {
      const range = getSelection()?.rangeCount ? getSelection()?.getRangeAt(0) : undefined;
      if (range && !range.collapsed) selection.current = range;
    };
    const press = (event: KeyboardEvent) => {
      const isInLetter = picture.current?.contains(getSelection()?.anchorNode ?? null);
      if (!(event.metaKey || event.ctrlKey) || event.key !== 'g' || !isInLetter) return;
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
  const stop = () => {
    setTries(0);
    selection.current = undefined;
  };
  const close = () => {
    stop();
    button.current?.focus({ preventScroll: true });
  };
  return { picture, button, tries, selection, open, stop, close };
}

/**
 * The drawing, from the page's HTML. The script is loaded only if the user comes from another page. The rest
 * of the page does without it.
 */
export function HeroPicture() {
  // New elements play the drawing's animations from the start.
  const [plays, play] = useReducer((count: number) => count + 1, 0);
  const { picture, button, tries, selection, open, stop, close } = useTryOut();
  return (
    <div ref={picture} className={styles.Hero}>
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
        <Button ref={button} tone="secondary" onClick={open}>
          Try it here
        </Button>
        <Button
          tone="secondary"
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
          <TryOut key={tries} letter={picture} selection={selection.current} onClose={close} />
        </Suspense>
      )}
    </div>
  );
}
