// oxlint-disable typescript/consistent-type-imports -- a module declared here can't import from a relative path.

// The modules that web/build/content-plugin.ts makes from the files in web/content.

declare module 'virtual:content/articles' {
  /** Newest first. */
  export const articles: readonly import('../../schemas/article.ts').ArticleSummary[];
}

declare module 'virtual:content/article-texts' {
  /** Loaders of each article's HTML by id. Each is a file of its own in the build. */
  export const texts: Readonly<Record<string, () => Promise<{ text: string }>>>;
}

declare module 'virtual:content/help' {
  export const help: import('../../schemas/help.ts').Help;
}

declare module 'virtual:content/terms' {
  export const terms: import('../../schemas/legal.ts').LegalDocument;
}

declare module 'virtual:content/privacy' {
  export const privacy: import('../../schemas/legal.ts').LegalDocument;
}

declare module 'virtual:content/templates' {
  export const templates: readonly import('../../schemas/template.ts').TemplateSummary[];
}

declare module 'virtual:content/template-details' {
  /** Loaders of each template's configuration and example by id. Each is a file of its own in the build. */
  export const details: Readonly<
    Record<string, () => Promise<import('../../schemas/template.ts').TemplateDetails>>
  >;
}
