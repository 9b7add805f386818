import { Fragment } from 'react';
import { piecesOf, soughtIn } from './find-words.ts';

/** A text in which the words of a search are marked. */
export const Marked = ({ search, children }: { search: string; children: string }) =>
  piecesOf(children, soughtIn(search)).map((piece, index) =>
    // oxlint-disable-next-line react/no-array-index-key -- Pieces have no other name.
    index % 2 === 1 ? <mark key={index}>{piece}</mark> : <Fragment key={index}>{piece}</Fragment>,
  );
