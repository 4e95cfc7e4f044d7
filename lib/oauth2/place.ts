/** Owns where the platform is, as seen from the page. */

/** The platform's `/v1/proxy`: beside the packages that a script came from, otherwise on the page's own origin. */
export function proxyUrl(script: string | undefined): string {
  return /\/packages\/[^/]*$/.test(script!) ? new URL('../proxy', script).href : `${location.origin}/v1/proxy`;
}
