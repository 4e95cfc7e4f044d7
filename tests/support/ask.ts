/** Requests to a platform’s REST API, as another developer or a CI job sends them. */
import type { Platform } from '../../lib/local-platform/index.ts';

/**
 * @param path from the base URL on, such as `/v1/apps`
 * @param body sent as JSON
 * @returns the response’s JSON; null if it has none
 * @throws Error unless the status is 2xx
 */
export async function ask<T = unknown>(
  { baseUrl, authToken }: Pick<Platform, 'baseUrl' | 'authToken'>,
  path: string,
  method = 'GET',
  body?: object,
): Promise<T> {
  const response = await fetch(baseUrl + path, {
    method,
    headers: { 'Auth-token': authToken, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return (text ? JSON.parse(text) : null) as T;
}

/** What an app’s actions have sent, oldest first, such as `email`. */
export async function outbox(platform: Pick<Platform, 'baseUrl' | 'authToken'>, appId: number): Promise<string[]> {
  const { messages } = await ask<{ messages: { kind: string }[] }>(platform, `/v1/apps/${appId}/outbox`);
  return messages.map(({ kind }) => kind);
}

/** Runs an action on the server, with a recording. Resolves also when the run fails. */
export async function record(
  platform: Pick<Platform, 'baseUrl' | 'authToken'>,
  appId: number,
  action: string,
  payload: object,
): Promise<void> {
  const path = `/v1/apps/${appId}/actions/${action}/run-with-result`;
  await ask(platform, path, 'POST', { payload, record: true }).catch((error: Error) => {
    if (!error.message.includes('"ACTION_FAILED"')) throw error;
  });
}
