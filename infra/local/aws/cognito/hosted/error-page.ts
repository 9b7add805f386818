import { html } from '../../../base/html.ts';
import { page } from './answers.ts';
import type { Endpoint } from './endpoint.ts';

/** Where people end whom no client's address is trusted with. */
export const errorPage: Endpoint = ({ query }) =>
  page(400, 'An error was encountered with the requested page.', html`<p>${query.get('error') ?? ''}</p>`);
