import { useRef } from 'react';
import { Button } from '../../components/button.tsx';
import { DownloadLink } from '../../components/download/download-link.tsx';
import { chapters } from './chapters.ts';
import styles from './player.module.css';
import { Scene } from './scene.tsx';
import { chapterAt, clockTime, sceneScript } from './scene-script.ts';
import { usePlayer } from './use-player.ts';

const { duration } = sceneScript;

const ICONS = {
  play: 'M5 2.5v15l13-7.5z',
  pause: 'M4 2.5h4.5v15H4zm7.5 0H16v15h-4.5z',
  replay: 'M10 3.5V0L4.5 5 10 10V6a5 5 0 1 1-5 5H2.5A7.5 7.5 0 1 0 10 3.5z',
};

function Icon({ of }: { of: keyof typeof ICONS }) {
  return (
    <svg className={styles.Icon} viewBox="0 0 20 20" aria-hidden="true">
      <path d={ICONS[of]} />
    </svg>
  );
}

/** The walkthrough with the controls of a video player. */
export function Player() {
  const { course, now, chapter, ended, seek, play, toggle, onKeyDown } = usePlayer();
  const control = useRef<HTMLButtonElement>(null);
  // The pressed button is about to disappear.
  const playFromScene = () => {
    control.current?.focus({ preventScroll: true });
    play();
  };
  const shown = chapters[chapter];
  const next = course === 'playing' ? 'pause' : ended ? 'replay' : 'play';
  const names = { play: 'Play', pause: 'Pause', replay: 'Replay' };
  return (
    // The buttons and the slider have the focus; the keys mean the same on each of them.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section className={styles.Player} aria-label="Walkthrough" onKeyDown={onKeyDown}>
      <div className={styles.Picture} data-course={ended ? 'ended' : course}>
        <Scene
          state={sceneScript.at(course === 'poster' ? (shown?.still ?? 0) : now)}
          alt={shown?.description ?? ''}
        />
        {course === 'poster' && (
          <button type="button" className={styles.Start} onClick={playFromScene}>
            <Icon of="play" />
            Play the walkthrough
          </button>
        )}
        {ended && (
          <div className={styles.End}>
            <DownloadLink size="large" alone />
            <Button tone="secondary" size="large" onClick={playFromScene}>
              Play it again
            </Button>
          </div>
        )}
      </div>
      <div className={styles.Controls}>
        <button
          ref={control}
          type="button"
          className={styles.Toggle}
          aria-label={names[next]}
          onClick={toggle}
        >
          <Icon of={next} />
        </button>
        <Slider now={now} onSeek={seek} />
        <p className={styles.Time}>
          {clockTime(now)} / {clockTime(duration)}
        </p>
      </div>
      <div className={styles.Caption} aria-live={course === 'playing' ? 'off' : 'polite'}>
        <p>{shown?.caption}</p>
        {/* All captions, invisible: the longest sets the height. */}
        <div aria-hidden="true">
          {chapters.map(({ title, caption }) => (
            <p key={title}>{caption}</p>
          ))}
        </div>
      </div>
      <ol className={styles.Chapters} aria-label="Chapters">
        {chapters.map(({ title, start }, index) => (
          <li key={title}>
            <button
              type="button"
              aria-current={index === chapter ? 'step' : undefined}
              onClick={() => play(start)}
            >
              <span>{index + 1}</span>
              {title}
              <span>{clockTime(start)}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The timeline, with a mark at the start of each chapter. */
function Slider({ now, onSeek }: { now: number; onSeek: (moment: number) => void }) {
  const percent = (moment: number) => `${(100 * moment) / duration}%`;
  return (
    <div className={styles.Slider}>
      <svg width="100%" height="6" aria-hidden="true">
        <rect width="100%" height="6" />
        <rect width={percent(now)} height="6" data-played="true" />
        {chapters.slice(1).map(({ start }) => (
          <rect key={start} x={percent(start)} width="3" height="6" data-mark="true" />
        ))}
      </svg>
      <input
        type="range"
        min="0"
        max={duration}
        step="100"
        value={now}
        aria-label="Position"
        aria-valuetext={`${clockTime(now)} of ${clockTime(duration)}, ${chapters[chapterAt(now)]?.title}`}
        onChange={(event) => onSeek(event.currentTarget.valueAsNumber)}
      />
    </div>
  );
}
