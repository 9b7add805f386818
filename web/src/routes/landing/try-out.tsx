import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { Answer, Overlay, Selection } from '../../components/app/overlay.tsx';
import { answers, commands } from './try-script.ts';
import styles from './try-out.module.css';

// Pixels.
const MARGIN = 12;

interface TryOutProps {
  letter: RefObject<HTMLElement | null>;
  selection: Range | undefined;
  onClose: () => void;
}

/** The app's window at a sentence of the letter, with commands whose answers are prepared. */
export default function TryOut({ letter, selection, onClose }: TryOutProps) {
  const panel = useRef<HTMLDialogElement>(null);
  const marked = useRef<HTMLElement>(null);
  // On a phone, some sentences are hidden.
  const [sentences] = useState(() =>
    [...(letter.current?.querySelectorAll<HTMLElement>('[data-sentence]') ?? [])]
      .filter((sentence) => sentence.getClientRects().length > 0)
      .map((sentence) => ({ sentence, text: sentence.textContent })),
  );
  const [place, setPlace] = useState(() =>
    Math.max(
      0,
      sentences.findIndex(({ sentence }) => selection?.intersectsNode(sentence)),
    ),
  );
  const [command, setCommand] = useState<number>();
  const chosen = sentences[place];

  useLayoutEffect(() => {
    if (!chosen || !panel.current) return undefined;
    marked.current = chosen.sentence;
    return markAt(chosen.sentence, panel.current);
  }, [chosen]);

  if (!chosen) return null;
  const { sentence, text } = chosen;
  const answer = (index: number) => answers[Number(sentence.dataset['sentence'])]?.[index];
  const run = (index: number) => {
    setCommand(index);
    if (index === 0 && marked.current) marked.current.textContent = answer(index) ?? text;
  };
  const next = () => {
    setCommand(undefined);
    setPlace((place + 1) % sentences.length);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
  };
  return (
    // Any part of the window hears the key.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog ref={panel} open className={styles.Panel} aria-label="Try it" onKeyDown={press}>
      <Overlay field="What would you like to do with it?">
        <Selection>{text}</Selection>
        <div className={styles.Commands}>
          {commands.map((name, index) => (
            <button
              key={name}
              type="button"
              data-marks
              aria-pressed={index === command}
              onClick={() => run(index)}
            >
              {name}
            </button>
          ))}
        </div>
        <output>
          {command !== undefined && <Answer>{command === 0 ? 'Replaced in Mail.' : answer(command)}</Answer>}
        </output>
        <div className={styles.Ways}>
          <button type="button" data-link data-marks onClick={next}>
            Next Sentence
          </button>
          <button type="button" data-link data-marks onClick={onClose}>
            Hide
          </button>
        </div>
      </Overlay>
    </dialog>
  );
}

/** Marks a sentence of the letter, and places the window below it. Returns a function that undoes both. */
function markAt(sentence: HTMLElement, panel: HTMLElement): () => void {
  const { textContent } = sentence;
  sentence.dataset['marked'] = 'true';
  getSelection()?.removeAllRanges();
  const place = () => placeBelow(panel, sentence);
  place();
  addEventListener('resize', place);
  panel.querySelector('button')?.focus({ preventScroll: true });
  panel.scrollIntoView({ block: 'nearest' });
  return () => {
    sentence.textContent = textContent;
    delete sentence.dataset['marked'];
    removeEventListener('resize', place);
  };
}

function placeBelow(panel: HTMLElement, sentence: HTMLElement): void {
  const around = panel.offsetParent?.getBoundingClientRect() ?? new DOMRect();
  const { left, bottom } = sentence.getBoundingClientRect();
  const most = around.width - panel.offsetWidth - MARGIN;
  panel.style.left = `${Math.max(MARGIN, Math.min(left - around.left, most))}px`;
  panel.style.top = `${bottom - around.top + MARGIN}px`;
}
