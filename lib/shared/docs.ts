/** Links to the docs in the extension’s package, which the build makes from Markdown. */

/** In the order in which each page lists them. */
export const DOC_PAGES = {
  start: 'Getting started',
  surfaces: 'Surfaces',
  debugger: 'Debugger',
  migrate: 'V2 to V3',
  platforms: 'What works where',
  errors: 'Error reference',
  'local-platform': 'Local platform',
  limits: 'Limits',
  permissions: 'Permissions',
  'resent-changes': 'Repeated changes',
  security: 'Security',
  privacy: 'Privacy',
  licenses: 'Licenses',
} as const;
export type DocPage = keyof typeof DOC_PAGES;

export const docUrl = (page: DocPage, anchor = ''): string => `/docs/${page}.html${anchor && `#${anchor}`}`;

/** The entry of an error code in the error reference. */
export const errorUrl = (code: string): string => docUrl('errors', errorAnchor(code));
export const errorAnchor = (code: string): string => code.toLowerCase();
