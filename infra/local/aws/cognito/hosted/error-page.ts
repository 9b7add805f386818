import { html } from '../../../base/html.ts';
import { page } from './answers.ts';
import type { Endpoint } from './endpoint.ts';

/** Shown if there is no trusted redirect address of a client. */
export const errorPage: Endpoint = ({ query }) =>
  page(400, 'An error was encountered with the requested page.', html`<p>${query.get('error') ?? ''}</p>`);
