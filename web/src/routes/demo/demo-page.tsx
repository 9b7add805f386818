import { useEffect } from 'react';
import { ButtonLink } from '../../components/button.tsx';
import { CallToAction } from '../../components/call-to-action.tsx';
import { DownloadLink } from '../../components/download/download-link.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { PageLayout } from '../../components/page/page-layout.tsx';
import { chapters } from './chapters.ts';
import styles from './demo.module.css';
import { Player } from './player.tsx';
import { Scene } from './scene.tsx';
import { sceneScript } from './scene-script.ts';

/** The walkthrough. Without script, with reduced motion and on paper, styles show pictures instead. */
export default function DemoPage() {
  // The page starts at the top, even after a reload, when browsers would restore the position. If the address
  // names a picture that is shown, the page starts there.
  useEffect(() => {
    const picture = document.getElementById(location.hash.slice(1));
    if (!picture?.getClientRects().length) window.scrollTo(0, 0);
  }, []);
  return (
    <PageLayout className={styles.Demo}>
      <PageHeader
        className={styles.Head}
        title="Complete Product Walkthrough"
        lead="One letter, from the first selection to the reply, in seven chapters."
      />
      <div className={styles.Moving}>
        <Player />
      </div>
      <ol className={styles.Still}>
        {chapters.map(({ title, caption, description, still }, index) => (
          <li key={title} id={`chapter-${index + 1}`}>
            <Scene state={sceneScript.at(still)} alt={description} />
            <div className={styles.Caption} data-stack="3">
              <h2>{title}</h2>
              <p>{caption}</p>
            </div>
          </li>
        ))}
      </ol>
      <CallToAction
        aria-labelledby="closing"
        actions={
          <>
            <DownloadLink size="large" />
            <ButtonLink to="/help" tone="secondary" size="large">
              Getting Started
            </ButtonLink>
          </>
        }
      >
        <h2 id="closing">Now with your own words</h2>
      </CallToAction>
    </PageLayout>
  );
}
