// oxlint-disable typescript/consistent-type-imports -- a module declared here can't import from a relative path.

// The modules that web/build/content-plugin.ts makes from the files in web/content.

declare module 'virtual:content/articles' {
  /** Newest first. */
  export const articles: readonly import('../../schemas/content/front-matter.ts').ArticleSummary[];
}

declare module 'virtual:content/article-pages' {
  export const articles: readonly Pick<
    import('../../schemas/content/front-matter.ts').ArticleSummary,
    'id' | 'title' | 'listed'
  >[];
}

declare module 'virtual:content/article-texts' {
  /** Loaders of each article's HTML by id. Each text is a separate file in the build. */
  export const texts: Readonly<Record<string, () => Promise<{ text: string }>>>;
}

declare module 'virtual:content/help' {
  export const help: import('../../schemas/content/front-matter.ts').Help;
}

declare module 'virtual:content/terms' {
  export const terms: import('../../schemas/content/front-matter.ts').LegalDocument;
}

declare module 'virtual:content/privacy' {
  export const privacy: import('../../schemas/content/front-matter.ts').LegalDocument;
}

declare module 'virtual:content/made-by' {
  // Apart from the owner's other texts, since every page loads it.
  export const madeBy: ReturnType<typeof import('../../schemas/product/owner.ts').ownerText>['madeBy'];
}

declare module 'virtual:content/owner' {
  export const owner: ReturnType<typeof import('../../schemas/product/owner.ts').ownerText>;
}

declare module 'virtual:content/templates' {
  export const templates: readonly import('../../schemas/content/template.ts').TemplateSummary[];
}

declare module 'virtual:content/template-details' {
  /** Loaders of each template's configuration and example by id. Each is a separate file in the build. */
  export const details: Readonly<
    Record<string, () => Promise<import('../../schemas/content/template.ts').TemplateDetails>>
  >;
}

declare module 'virtual:content/template-words' {
  export const words: readonly import('../../schemas/content/template.ts').TemplateWords[];
}

declare module 'virtual:content/synonyms' {
  export const synonyms: Readonly<Record<string, string>>;
}

declare module 'virtual:content/download' {
  export const downloadUrl: string;
  export const requirements: string;
  export const newestVersion: string | undefined;
}

declare module 'virtual:content/changelog' {
  /** Newest first. `system` and `size` are text. */
  export const releases: readonly (Omit<
    import('../../schemas/content/release.ts').Release,
    'minimumSystemVersion' | 'size'
  > & { system?: string; size?: string })[];
}

interface ImportMetaEnv {
  /** The words of the page's seller about refunds: web/build/refund-words.ts. */
  readonly REFUNDS: string;
}
