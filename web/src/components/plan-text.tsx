import { Fragment } from 'react';
import type { Text } from '../../../schemas/shapes/text.ts';
import { Day } from './day.tsx';

/**
 * A sentence about a plan. Another sentence gets another element: a browser's translation replaces text
 * nodes, and React could then neither change nor remove them.
 */
export const PlanText = ({ of: parts }: { of: Text }) => (
  <span key={JSON.stringify(parts)}>
    {parts.map((part, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- The parts of a sentence don't change.
      <Fragment key={index}>{typeof part === 'string' ? part : <Day moment={part.day} />}</Fragment>
    ))}
  </span>
);
