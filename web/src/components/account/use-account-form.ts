import { useState } from 'react';
import type { Refused } from '../../account/outcome.ts';

/** A refusal shows above the form until the user types. */
export type FormState = { kind: 'editing' } | { kind: 'sending' } | Refused;

/** The state of an `AccountForm`, and `edit`, which clears a refusal. */
export interface FormControl {
  state: FormState;
  edit: () => void;
}

export type AccountFormHandle = ReturnType<typeof useAccountForm>;

export const EDITING: FormState = { kind: 'editing' };

export function useAccountForm(first: FormState | (() => FormState) = EDITING) {
  const [state, setState] = useState(first);
  return {
    state,
    edit: () => setState(EDITING),
    refuse: (message: string) => setState({ kind: 'refused', message }),
    /** Shows that `work` is under way, and its refusal. After a success, the form stays as it is. */
    send: async <T extends { kind: string }>(work: Promise<T>): Promise<T> => {
      setState({ kind: 'sending' });
      const outcome = await work;
      if (isRefused(outcome)) setState(outcome);
      return outcome;
    },
  };
}

const isRefused = (outcome: { kind: string }): outcome is Refused => outcome.kind === 'refused';
