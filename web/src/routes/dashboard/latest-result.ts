import { createContext } from 'react';

/** The setting that was changed last, which alone shows its result. Set by `Settings`. */
export const LatestResult = createContext<[id: string | null, set: (id: string) => void]>([null, () => {}]);
