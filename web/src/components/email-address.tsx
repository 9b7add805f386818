import { Fragment } from 'react';
import { addressParts } from './address-parts.ts';

/** An address that breaks before the @ or after a dot if it doesn't fit on a line. */
export function EmailAddress({ of: address }: { of: string }) {
  return addressParts(address).map((part, index) => (
    // The parts have no other identity than their place.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
