/* Categories of content. Kept apart from the schemas, so that a page that shows a list doesn't load zod. */

export const articleCategories = ['Company', 'Product', 'Privacy & Security', 'Community'] as const;

export const templateCategories = [
  'Programming',
  'Business',
  'Marketing',
  'Creative',
  'Medical',
  'Design',
  'Research',
  'Productivity',
  'Journalism',
] as const;

/** The tabs of the help page, in order. Each is a folder of `web/content/help`. */
export const helpTabs = [
  { id: 'getting-started', label: 'Getting Started' },
  { id: 'shortcuts', label: 'Shortcuts' },
  { id: 'faq', label: 'FAQ' },
  { id: 'contact', label: 'Contact' },
] as const;
export type HelpTabId = (typeof helpTabs)[number]['id'];
