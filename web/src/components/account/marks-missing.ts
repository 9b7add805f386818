import { createContext } from 'react';

/** Whether the form's message is about its empty fields, which are then marked as faulty. */
export const MarksMissing = createContext(false);
