import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type UserConfig } from 'vite';
import { classNames } from './build/class-names.ts';
import { content } from './build/content-plugin.ts';
import { offeredProviders } from './build/offered-providers.ts';
import { prerender } from './build/prerender.ts';
import { refundWords } from './build/refund-words.ts';

const ROUTER = fileURLToPath(
  new URL('../node_modules/react-router/dist/production/index.mjs', import.meta.url),
);

/** The configuration of the site's build. `folder`: the folder of its content. @default web/content */
export const siteConfig = (folder?: string): UserConfig => {
  const plugins = () => [react(), content(folder), classNames(), offeredProviders(), refundWords()];
  return {
    root: fileURLToPath(new URL('./', import.meta.url)),
    // The package's exports name only its development build, which is larger and warns in the console.
    resolve: { alias: [{ find: /^react-router$/, replacement: ROUTER }] },
    // Lightning CSS's feature LightDark, which adds variables for `light-dark()`: no rule uses that function.
    css: { lightningcss: { exclude: 1_048_576 } },
    plugins: [...plugins(), prerender(plugins, folder)],
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      // Data URLs aren't cached separately from the script, and the content security policy would have to
      // allow them.
      assetsInlineLimit: 0,
      // All browsers that support modules support modulepreload, too.
      modulePreload: { polyfill: false },
      rolldownOptions: {
        // Rendering the pages takes a while, and Vite would warn about that in every build.
        checks: { pluginTimings: false },
        output: {
          // The first script names every file, and a hash doesn't compress. Seven is the bundler's minimum.
          entryFileNames: 'assets/[name]-[hash:7].js',
          chunkFileNames: 'assets/[name]-[hash:7].js',
          assetFileNames: 'assets/[name]-[hash:7][extname]',
          codeSplitting: {
            includeDependenciesRecursively: false,
            // Without groups, shared code comes in a dozen files of a few hundred bytes.
            groups: [
              {
                name: 'react',
                test: /rolldown\/runtime|\/node_modules\/(react|react-dom|react-router|react-router-dom|scheduler)\//,
              },
              {
                name: 'page',
                test: /\/web\/src\/(session\/(store|browser-storage)|components\/(sign|message|button|dialog|page\/page(-header|-layout)?)(\.module)?)\.|\/schemas\/(product\/product|either-of)\.ts|virtual:content\/download$/,
              },
              {
                name: 'plan',
                test: /\/web\/src\/(plan\/(?!long-date)|api\/use-(load|reload-when-visible)|components\/(unread|skeleton))/,
              },
              {
                name: 'action',
                test: /\/web\/src\/(components\/(account\/(action-button|use-account-form)|notice|page\/page-restored)|account\/outcome)/,
              },
              {
                name: 'field',
                test: /\/web\/src\/components\/account\/(text-field|field\.module|marks-missing)/,
              },
              {
                name: 'form',
                test: /\/web\/src\/(components\/account\/(account|email-field|way|with-ways)|account\/credentials|navigation\/use-typed)/,
              },
              {
                name: 'visitor',
                test: /\/web\/src\/(components\/account\/(?!name-field|new-password|linked-account|code-field|user-name-field|ask-for-link|mail-bounces)|account\/(account-code|offered-providers)|navigation\/use-router-state)/,
              },
              {
                name: 'session',
                test: /\/web\/src\/session\/(session-lifecycle|token-refresh|tokens|sign-out)\.ts/,
              },
              {
                name: 'refusal',
                test: /\/(schemas\/(refusal|person-name)|web\/src\/(api\/service-sentences|account\/name-sentence))\.ts/,
              },
              {
                name: 'shared',
                test: /\/(web\/src\/(pages\/site-config|oauth\/cognito-message|account\/auth-sentence)|schemas\/(config\/site-config|trigger-refusals))\.ts/,
              },
              { name: 'text', test: /\/web\/src\/components\/(prose|article-drawing|legal)/ },
              { name: 'list', test: /\/web\/src\/components\/(call-to-action|feature-list|filter-buttons)/ },
            ],
          },
        },
      },
    },
  };
};

export default defineConfig(siteConfig());
