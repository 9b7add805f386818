import { Fragment } from 'react';
import type { Found } from './text-index.ts';

export const Marked = ({ found, children }: { found: Found | undefined; children: string }) =>
  (found?.piecesOf(children) ?? [children]).map((piece, index) =>
    // oxlint-disable-next-line react/no-array-index-key -- Pieces have no other name.
    index % 2 === 1 ? <mark key={index}>{piece}</mark> : <Fragment key={index}>{piece}</Fragment>,
  );
