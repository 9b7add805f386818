import type { ReactNode } from 'react';
import type { ArticleSummary } from '../../../schemas/content/front-matter.ts';
import styles from './article-drawing.module.css';

const lines = (x: number, y: number, widths: readonly number[]) =>
  widths.map((width, index) => (
    <path key={`${x} ${y + index * 16}`} className={styles.Line} d={`M${x} ${y + index * 16}h${width}`} />
  ));

const drawings: Record<ArticleSummary['image'], ReactNode> = {
  // A written page with a ditto mark over it.
  ditto: (
    <>
      <path className={styles.Sheet} d="M20 20h280v160H20z" />
      {lines(40, 44, [150, 240, 220])}
      <path className={styles.Highlight} d="M36 96h200v24H36z" />
      {lines(40, 108, [190])}
      {lines(40, 140, [230, 170])}
      <path className={styles.Ink} d="M232 74h20l-13 62h-20zm34 0h20l-13 62h-20z" />
    </>
  ),
  // A letter in its envelope with one line highlighted.
  envelope: (
    <>
      <path className={styles.Sheet} d="M84 30h152v120H84z" />
      {lines(100, 52, [90])}
      <path className={styles.Highlight} d="M96 60h128v20H96z" />
      {lines(100, 70, [112])}
      <path className={styles.Sheet} data-front d="M60 92l100 52 100-52v80H60z" />
      <path className={styles.Stroke} d="M60 172l76-40m124 40l-76-40" />
    </>
  ),
  // A shelf of commands and contexts.
  shelf: (
    <>
      <path className={styles.Stroke} d="M40 92h240M40 168h240" />
      <path className={styles.Sheet} d="M56 40h26v52H56zm34 12h20v40H90zm150-18h24v58h-24z" />
      <path className={styles.Highlight} d="M122 34h28v58h-28z" />
      <path className={styles.Sheet} d="M122 34h28v58h-28z" fillOpacity="0" />
      <path className={styles.Ink} d="M172 36l18-4 12 56-18 4z" />
      <path className={styles.Sheet} d="M60 116h22v52H60zm118-6h26v58h-26zm36 14h20v44h-20z" />
      <path className={styles.Ink} d="M94 112h24v56H94z" />
      <path className={styles.Highlight} d="M132 118l22-4 10 50-22 4z" />
    </>
  ),
};

/** The drawing that an article's `image` names. Decorative. */
export function ArticleDrawing({ name }: { name: ArticleSummary['image'] }) {
  return (
    <svg className={styles.Drawing} viewBox="0 0 320 200" aria-hidden="true">
      {drawings[name]}
    </svg>
  );
}
