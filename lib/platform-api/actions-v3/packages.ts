/** The packages of the platform that an action’s code can use, and the namespace that each one defines. */

/** Namespaces are members of `Platform`. `fetch` and `console` need no package. */
export const V3_PACKAGES = {
  'platform-communicate': 'Communicate',
  'platform-datasources': 'DataSources',
  'platform-notifications': 'Notifications',
} as const;

/** Undefined for namespaces that need no package, and for unknown ones. */
export const packageOfNamespace = (namespace: string): string | undefined =>
  Object.entries(V3_PACKAGES).find(([, each]) => each === namespace)?.[0];
