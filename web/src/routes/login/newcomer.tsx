import { useEffect, useState } from 'react';
import { knowsWayIn } from '../../account/way-in.ts';
import { ButtonLink } from '../../components/button.tsx';
import { noticeProps } from '../../components/notice.tsx';
import { inAppPath, isCheckout } from '../../navigation/from-path.ts';
import { useHydrated } from '../../navigation/hydrated.ts';
import { useCameFrom } from '../../navigation/use-came-from.ts';
import styles from './newcomer.module.css';

/**
 * Leads visitors on their way to the checkout to the sign-up, if this browser doesn't remember a sign-in. The
 * head script knows that of an opened page before the first paint, so that nothing shifts.
 */
export function Newcomer() {
  const cameFrom = useCameFrom();
  const [isNew, setNew] = useState(false);
  const [cameByLink] = useState(useHydrated());
  const buys = isCheckout(inAppPath(cameFrom.from));
  useEffect(() => {
    const isMarked = document.documentElement.dataset['newcomer'] !== undefined;
    if (buys && (cameByLink || isMarked)) void knowsWayIn().then((isKnown) => setNew(!isKnown));
  }, [cameByLink, buys]);
  useEffect(() => {
    if (isNew) delete document.documentElement.dataset['newcomer'];
  }, [isNew]);
  return (
    <div {...noticeProps('plain', styles.Newcomer)} hidden={!isNew}>
      <p>New here? Create an account first.</p>
      <ButtonLink to="/signup" state={cameFrom} wide data-takes-along>
        Sign Up and Continue
      </ButtonLink>
    </div>
  );
}
