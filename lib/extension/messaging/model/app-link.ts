/** Writes and reads the URL of the extension’s page about one app. */

export interface AppLink {
  environmentId: string;
  appId: number;
  /** Whose way to the users is followed; null to follow none. */
  version: number | null;
}

/** Below the extension's own origin, without a slash before it. */
export function appLink({ environmentId, appId, version }: AppLink): string {
  return `app.html?${new URLSearchParams({ environment: environmentId, app: String(appId), ...(version !== null && { version: String(version) }) })}`;
}

/** What the page's query says; null when it names no environment or app. */
export function readAppLink(query: string): AppLink | null {
  const read = new URLSearchParams(query);
  const environmentId = read.get('environment');
  const appId = whole(read.get('app'));
  return environmentId && appId !== null ? { environmentId, appId, version: whole(read.get('version')) } : null;
}

function whole(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
