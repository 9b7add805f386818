/** The colors of the light scheme in src/styles/tokens.css. */
export const palette = {
  paper: '#fbfcfb',
  surface: '#ffffff',
  ink: '#14202f',
  inkSoft: '#4e5b6b',
  line: '#d8dfe3',
  highlight: '#ffdc3d',
  onNight: '#f3f5f4',
  nightLine: '#5b6b7e',
  windowBar: '#f6f8f8',
  windowEdge: '#cfd8dc',
  overlayEdge: '#2f4058',
} as const;

type Style = Record<string, string | number>;

/** An element in the form that satori lays out. */
export interface Element {
  type: string;
  key: null;
  props: Record<string, unknown>;
}

/** Satori supports no layout other than flex. */
export const box = (style: Style, children: readonly (Element | string)[]): Element => ({
  type: 'div',
  key: null,
  props: { style: { display: 'flex', ...style }, children },
});

/** The logo, as in src/components/mark.tsx. `size` is in pixels. */
export const mark = (size: number): Element => ({
  type: 'svg',
  key: null,
  props: {
    width: size,
    height: size,
    viewBox: '0 0 32 32',
    children: [
      path('M0 0h32v32H0z', palette.highlight),
      path('M11 7h6l-4 18H7zm10 0h6l-4 18h-6z', palette.ink),
    ],
  },
});

const path = (d: string, fill: string): Element => ({ type: 'path', key: null, props: { d, fill } });

interface Words {
  text: string;
  /** Indexes of the first selected word and of the one after the last. */
  selected: readonly [number, number];
  style: Style;
  /** Pixels between two words. */
  space: number;
  /** Keeps the selected words on one line. */
  together?: boolean;
}

/** A paragraph in which some words are selected, with the insertion point at their end. */
export function words({ text, selected: [from, to], style, space, together = false }: Words): Element {
  const each = text.split(' ');
  // The selection is a little wider than its words.
  const brim = Math.round(space / 3);
  const plain = (word: string) => box({ marginRight: space }, [word]);
  const selected = each.slice(from, to).map((word, index, all) =>
    box(
      {
        background: palette.highlight,
        ...(index === 0 ? { paddingLeft: brim, marginLeft: -brim } : {}),
        ...(index < all.length - 1 ? { paddingRight: space } : { ...end(brim), marginRight: space - brim }),
      },
      [word],
    ),
  );
  return box({ flexWrap: 'wrap', ...style }, [
    ...each.slice(0, from).map(plain),
    ...(together ? [box({}, selected)] : selected),
    ...each.slice(to).map(plain),
  ]);
}

const end = (brim: number): Style => ({
  paddingRight: brim,
  borderRight: `${Math.max(2, Math.round(brim / 2))}px solid ${palette.ink}`,
});
