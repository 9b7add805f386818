import { type ReactNode, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { product } from '../../../../schemas/product/product.ts';
import { Card } from '../../components/card.tsx';
import { DownloadLink } from '../../components/download/download-link.tsx';
import styles from './first-steps.module.css';
import { firstSteps, type useFirstSteps } from './use-first-steps.ts';

const texts: Record<(typeof firstSteps)[number], ReactNode> = {
  download: (
    <>
      <DownloadLink plain />, and let it <Link to="/help">read the words you highlight</Link>
    </>
  ),
  'sign-in': `Open ${product.name} and sign in`,
  press: (
    <>
      Highlight words in any app, and press <kbd>Command+G</kbd>
    </>
  ),
};

/**
 * The first steps with the app. A step of which the server knows is ticked, the others are the user's to
 * tick. Gone once all were done before the page opened.
 */
export function FirstSteps({ ticked, done, isKnown, tick }: ReturnType<typeof useFirstSteps>) {
  const id = useId();
  const [wasOver] = useState(firstSteps.every((step) => ticked?.includes(step)));
  if (wasOver) return null;
  return (
    <Card title={`Get started · ${done.length} of ${firstSteps.length}`} className={styles.Card}>
      <ol className={styles.Steps}>
        {firstSteps.map((step) => (
          <li key={step}>
            <input
              type="checkbox"
              aria-labelledby={`${id}-${step}`}
              checked={done.includes(step)}
              disabled={isKnown(step)}
              onChange={() => tick(step)}
            />
            <span id={`${id}-${step}`}>{texts[step]}</span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
