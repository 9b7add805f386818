import { type ReactNode, useEffect, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { product } from '../../../../schemas/product/product.ts';
import { keepText, keptText } from '../../account/kept-text.ts';
import { DownloadLink } from '../../components/download/download-link.tsx';
import styles from './top.module.css';

const KEY = 'first-steps';

const steps: Record<string, ReactNode> = {
  download: <DownloadLink plain />,
  access: <Link to="/help">Grant Accessibility access</Link>,
  press: (
    <>
      Highlight words, and press <kbd>Command+G</kbd>
    </>
  ),
};

const isOver = (done: readonly string[]): boolean => Object.keys(steps).every((step) => done.includes(step));

/** The checkbox that had the focus is gone. */
function focusTitle(): void {
  const title = document.querySelector<HTMLElement>('main h1');
  title?.setAttribute('tabindex', '-1');
  title?.focus();
}

/** The first steps with the app, to tick off. Gone once all are, in this browser, also after a sign-out. */
export function FirstSteps() {
  const id = useId();
  const [done, setDone] = useState<readonly string[]>();
  useEffect(() => {
    void keptText(KEY).then((kept) => setDone(kept?.split(' ') ?? []));
  }, []);
  if (!done || isOver(done)) return null;
  const tick = (step: string) => {
    const next = done.includes(step) ? done.filter((each) => each !== step) : [...done, step];
    setDone(next);
    void keepText(KEY, next.join(' '));
    if (isOver(next)) focusTitle();
  };
  return (
    <ul className={styles.Steps} aria-label={`First steps with ${product.name}`}>
      {Object.entries(steps).map(([step, text]) => (
        <li key={step}>
          <input
            type="checkbox"
            aria-labelledby={`${id}-${step}`}
            checked={done.includes(step)}
            onChange={() => tick(step)}
          />
          <span id={`${id}-${step}`}>{text}</span>
        </li>
      ))}
    </ul>
  );
}
