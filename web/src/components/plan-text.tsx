import { Fragment } from 'react';
import type { Text } from '../plan/text.ts';
import { Day } from './day.tsx';

/** A sentence about a plan. */
export const PlanText = ({ of: parts }: { of: Text }) =>
  parts.map((part, index) => (
    // A sentence is replaced as a whole.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>{typeof part === 'string' ? part : <Day moment={part.day} />}</Fragment>
  ));
