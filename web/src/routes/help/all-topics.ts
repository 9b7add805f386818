import { help } from 'virtual:content/help';
import { helpTabs } from '../../../../schemas/content/categories.ts';

/** The topics of all tabs. */
export const allTopics = helpTabs.flatMap(({ id }) => help[id]);
