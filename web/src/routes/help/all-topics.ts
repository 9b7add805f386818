import { help } from 'virtual:content/help';
import { helpTabs } from '../../../../schemas/content/categories.ts';

export const allTopics = helpTabs.flatMap(({ id }) => help[id]);
