/** Decides how changes leave the worker, so that the browser doesn’t send any of them twice. */
import type { ChangeChannel } from '../../../rest/index.ts';
import { ConnectionRules, type DynamicRules } from './connection-rules.ts';
import { FrameChannel, type FrameRuntime, type Offscreen } from './frame-channel.ts';

export interface ChangeSender {
  /** Must be called before any request to a platform, also before reading. */
  prepare(baseUrl: string): Promise<void>;
  channel(baseUrl: string): ChangeChannel;
  /** Called when environments have changed, with all that are left. */
  replace(baseUrls: readonly string[]): Promise<void>;
}

/** @param offscreen only Chromium has it */
export function createChangeSender(
  offscreen: Offscreen | undefined,
  runtime: FrameRuntime,
  rules: DynamicRules,
): ChangeSender {
  if (offscreen) {
    const channel = new FrameChannel(offscreen, runtime);
    return { prepare: async () => {}, channel: () => channel, replace: async () => {} };
  }
  const connections = new ConnectionRules(rules, new URL(runtime.getURL('/')).host);
  let unfinished = 0;
  return {
    // A change checks the rule again, and isn’t sent without it.
    prepare: (baseUrl) => connections.add(baseUrl).catch(() => {}),
    channel: (baseUrl) => ({
      async run(work) {
        await connections.add(baseUrl);
        let sent = '';
        // Browsers keep a limited number of timings. Other changes still need theirs.
        if (unfinished === 0) performance.clearResourceTimings();
        unfinished += 1;
        const result = work((url, init) => {
          sent = url;
          return fetch(url, init);
        });
        // Also after an error, such as a conflict with the first copy.
        await result.catch(() => {});
        unfinished -= 1;
        if (maybeSentTwice(sent)) throw new Error('Firefox may have sent the request twice.');
        return result;
      },
    }),
    replace: (baseUrls) => connections.replace(baseUrls),
  };
}

/** In milliseconds. Firefox repeats a request on a new connection only after 950 ms. */
const SLOW = 900;
const BODY_TIME = 5;

/**
 * Whether a platform that ignores `Expect` might have got a slow request twice. Timings of a repeated request begin with
 * its first copy, so that its response seems to take as long as a whole request.
 */
function maybeSentTwice(url: string): boolean {
  const timings = performance.getEntriesByName(url, 'resource') as PerformanceResourceTiming[];
  return timings.some(
    ({ nextHopProtocol, requestStart, responseStart, responseEnd }) =>
      !/^h[23]/.test(nextHopProtocol) && responseStart - requestStart > SLOW && responseEnd - responseStart > BODY_TIME,
  );
}
