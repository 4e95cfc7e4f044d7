/** Uses the types of `platform-devtools` as a test of an app does. Compiled only. */
import {
  type NetworkRequest,
  type Platform,
  type PlatformOptions,
  startPlatform,
  StartProblem,
  type StoredEffect,
} from 'platform-devtools';

const effects: StoredEffect[] = [];
const options: PlatformOptions = {
  port: 0,
  data: 'memory',
  v3Profile: 'envelope',
  limits: { time: 1_000 },
  clock: new Date(0),
  onEffect: (effect) => void effects.push(effect),
  network: async ({ url, method }: NetworkRequest, signal) => {
    signal.throwIfAborted();
    const body = new TextEncoder().encode(`${method} ${url.href}`);
    return { status: 200, statusText: 'OK', headers: [['content-type', 'text/plain']], body };
  },
};

export async function names(): Promise<string[]> {
  let platform: Platform;
  try {
    platform = await startPlatform(options);
  } catch (error) {
    if (error instanceof StartProblem) throw new Error(`${error.message} ${error.hint}`, { cause: error });
    throw error;
  }
  const list: string[] = platform.apps.map(({ name }) => name);
  await platform.close();
  return list;
}

// @ts-expect-error -- the port is a number
void startPlatform({ port: '0' });
// @ts-expect-error -- there is no such profile
void startPlatform({ v3Profile: 'other' });
