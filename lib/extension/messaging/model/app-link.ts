/** Builds and parses links to an app’s page in the extension, and to the popup as a page, with the app selected. */

export interface AppLink {
  environmentId: string;
  appId: number;
  /** The version whose adoption to watch; null for none. */
  version: number | null;
}

/** A URL relative to the extension’s origin, without a leading slash. */
export function appLink({ environmentId, appId, version }: AppLink): string {
  return `app.html?${new URLSearchParams({ environment: environmentId, app: String(appId), ...(version !== null && { version: String(version) }) })}`;
}

/** The popup as a page. A URL relative to the extension’s origin, without a leading slash. */
export function publishLink({ environmentId, appId }: Pick<AppLink, 'environmentId' | 'appId'>): string {
  return `popup.html?${new URLSearchParams({ environment: environmentId, app: String(appId) })}`;
}

/** Null if the query names no environment or no app. */
export function readAppLink(query: string): AppLink | null {
  const read = new URLSearchParams(query);
  const environmentId = read.get('environment');
  const appId = whole(read.get('app'));
  return environmentId && appId !== null ? { environmentId, appId, version: whole(read.get('version')) } : null;
}

function whole(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
