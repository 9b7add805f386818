import { box, mark, palette, words, type Element } from './picture-parts.ts';

/**
 * A letter with a sentence selected, and the app's overlay beside it. The letter continues below the image.
 */
export function appPicture(place: { left: number; top: number }): Element {
  return box({ position: 'absolute', ...place }, [letter(), overlay()]);
}

function letter(): Element {
  return box(
    {
      flexDirection: 'column',
      width: 400,
      height: 400,
      border: `1.5px solid ${palette.windowEdge}`,
      borderRadius: 14,
      background: palette.surface,
      overflow: 'hidden',
    },
    [
      box(
        {
          alignItems: 'center',
          height: 42,
          padding: '0 18px',
          columnGap: 9,
          borderBottom: `1.5px solid ${palette.line}`,
          background: palette.windowBar,
        },
        [0, 1, 2].map(() =>
          box({ width: 13, height: 13, borderRadius: 7, background: palette.windowEdge }, []),
        ),
      ),
      words({
        text: 'Thank you for the draft. It is very nearly there, though the part in the middle goes on for some while. Shall we talk on Thursday?',
        selected: [5, 21],
        style: { width: 316, padding: '22px 28px', fontSize: 24, lineHeight: 1.5 },
        space: 6,
      }),
    ],
  );
}

function overlay(): Element {
  return box(
    {
      position: 'absolute',
      left: 352,
      top: 50,
      width: 208,
      flexDirection: 'column',
      rowGap: 2,
      padding: 14,
      border: `1.5px solid ${palette.overlayEdge}`,
      borderRadius: 16,
      background: palette.ink,
      color: palette.onNight,
      fontFamily: 'sans',
    },
    [
      box({ marginBottom: 8 }, [mark(26)]),
      command('Say it plainly', true),
      command('Summarize', false),
      command('Explain', false),
      box({ columnGap: 6, marginTop: 8, paddingTop: 12, borderTop: `1.5px solid ${palette.nightLine}` }, [
        context('Brief', true),
        context('Kind', false),
      ]),
    ],
  );
}

const command = (label: string, chosen: boolean) =>
  box(
    {
      padding: '5px 12px 7px',
      borderRadius: 6,
      fontSize: 22,
      ...(chosen ? { background: palette.highlight, color: palette.ink, fontWeight: 600 } : {}),
    },
    [label],
  );

const context = (label: string, chosen: boolean) =>
  box(
    {
      padding: '1px 12px 3px',
      border: `1.5px solid ${chosen ? palette.highlight : palette.nightLine}`,
      borderRadius: 18,
      fontSize: 18,
      ...(chosen ? { color: palette.highlight } : {}),
    },
    [label],
  );
