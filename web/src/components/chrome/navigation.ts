/** What the bar, the sidebar and the footer list. An entry stands here once its page does. */
export const navigation = [
  { label: 'Features', to: '/#features' },
  { label: 'Pricing', to: '/pricing' },
] as const;
