import { useRef } from 'react';
import { Button } from '../../components/button.tsx';
import { DownloadLink } from '../../components/download/download-link.tsx';
import { chapters } from './chapters.ts';
import styles from './player.module.css';
import { Scene } from './scene.tsx';
import { clockTime, sceneScript } from './scene-script.ts';
import { usePlayer } from './use-player.ts';

const { duration } = sceneScript;

export function Player() {
  const { course, now, chapter, ended, seek, play, toggle } = usePlayer();
  const control = useRef<HTMLButtonElement>(null);
  // The pressed button is about to disappear.
  const playFromScene = () => {
    control.current?.focus({ preventScroll: true });
    play();
  };
  const shown = chapters[chapter];
  return (
    <section className={styles.Player} aria-label="Walkthrough">
      <div className={styles.Picture}>
        <Scene
          state={sceneScript.at(course === 'poster' ? (shown?.still ?? 0) : now)}
          alt={shown?.description ?? ''}
        />
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
        <Button ref={control} tone={course === 'poster' ? 'primary' : 'secondary'} onClick={toggle}>
          {course === 'playing' ? 'Pause' : ended ? 'Replay' : 'Play'}
          {course === 'poster' && <span className="visuallyHidden"> the walkthrough</span>}
        </Button>
        <input
          type="range"
          max={duration}
          step="250"
          value={now}
          aria-label="Position"
          aria-valuetext={`${clockTime(now)} of ${clockTime(duration)}, ${shown?.title}`}
          onChange={(event) => seek(event.currentTarget.valueAsNumber)}
        />
        <p>
          {clockTime(now)} / {clockTime(duration)}
        </p>
      </div>
      {/* All captions in one place: the longest sets the height. */}
      <div className={styles.Caption} aria-live={course === 'playing' ? 'off' : 'polite'}>
        {chapters.map(({ title, caption }, index) => (
          <p key={title} data-shown={index === chapter}>
            {caption}
          </p>
        ))}
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
              <b>{title}</b>
              <span>{clockTime(start)}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
