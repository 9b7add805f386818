import { useState } from 'react';
import { ConfirmedAddress, TypedAddress, useRouterState } from './use-router-state.ts';

/** The value of an address field, from the previous page until the user types, and its setter. */
export function useTypedAddress(): [string, (email: string) => void] {
  const confirmed = useRouterState(ConfirmedAddress)?.confirmed;
  const handedOn = useRouterState(TypedAddress)?.email;
  const [typed, setTyped] = useState<string | null>(null);
  return [typed ?? confirmed ?? handedOn ?? '', setTyped];
}
