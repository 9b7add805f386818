import type { ReactNode } from 'react';
import { product } from '../../../../schemas/product/product.ts';
import { Button } from '../../components/button.tsx';
import { AnalyzeDemo } from './demos/analyze-demo.tsx';
import { CommandDemo } from './demos/command-demo.tsx';
import { ContextDemo } from './demos/context-demo.tsx';
import { OverlayDemo } from './demos/overlay-demo.tsx';
import { usePaused } from './demos/use-demo.ts';
import { WriteDemo } from './demos/write-demo.tsx';
import styles from './features.module.css';

/** The features in the style of a dictionary, with an animated drawing beside each entry. */
export function Features() {
  return (
    <section id="features" className={styles.Features} aria-labelledby="features-title">
      <div className={styles.Head}>
        <h2 id="features-title">{product.name.toLowerCase()}</h2>
        <p>
          <i>adjective.</i> The very same; not another.
        </p>
        <PauseButton />
      </div>
      <div className={styles.Pair} data-below-fold>
        <div>
          <Definition title="Custom commands" kind="noun">
            Instructions in your own words, each kept under a name. Choose one in advance, and Command+G runs
            it.
          </Definition>
          <CommandDemo />
        </div>
        <div>
          <Definition title="Contexts" kind="noun">
            Tones and styles that go with a command: how you sound to a customer, or a friend. Use none, one
            or several.
          </Definition>
          <ContextDemo />
        </div>
      </div>
      <div className={styles.Entry} data-below-fold data-layout="screen">
        <Definition title="Floating overlay" kind="noun">
          A small window that comes to the words. Highlight or copy a passage, press <kbd>Command+G</kbd>, and
          it is there. <kbd>Command+Shift+Space</kbd>, and it is gone.
        </Definition>
        <OverlayDemo />
      </div>
      <div className={styles.Entry} data-below-fold data-layout="beside">
        <Definition title="Write Mode" kind="verb">
          To say it as you would have, given another half hour. It works in the field you type in.
        </Definition>
        <WriteDemo />
      </div>
      <div className={styles.Entry} data-below-fold data-layout="under">
        <Definition title="Analyze text anywhere" kind="verb">
          To ask a sentence what it means before you agree to it: in a contract, a paper, a message.
        </Definition>
        <AnalyzeDemo />
      </div>
    </section>
  );
}

/** The only control that stops and starts the page's demos. */
function PauseButton() {
  const [paused, toggle] = usePaused();
  return (
    <div data-scripted>
      <Button tone="secondary" onClick={toggle}>
        {paused ? 'Play' : 'Pause'} the demos
      </Button>
    </div>
  );
}

interface DefinitionProps {
  title: string;
  kind: 'noun' | 'verb';
  children: ReactNode;
}

function Definition({ title, kind, children }: DefinitionProps) {
  return (
    <div className={styles.Definition}>
      <h3>
        {title} <i>{kind}</i>
      </h3>
      <p>{children}</p>
    </div>
  );
}
