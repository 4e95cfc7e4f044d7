/** Decides how changes leave the worker, so that the browser doesn’t send any of them twice. */
import type { ChangeChannel } from '../../../rest/index.ts';
import { ConnectionRules, type DynamicRules } from './connection-rules.ts';
import { FrameChannel, type FrameRuntime, type Offscreen } from './frame-channel.ts';

export interface ChangeSender {
  /** Must be called before the first request to a platform, also before reading. */
  prepare(baseUrl: string): Promise<void>;
  channel(baseUrl: string): ChangeChannel;
  /** Called when environments have changed, with all that are left. */
  keepOnly(baseUrls: readonly string[]): Promise<void>;
}

/** @param offscreen only Chromium has it */
export function createChangeSender(
  offscreen: Offscreen | undefined,
  runtime: FrameRuntime,
  rules: DynamicRules,
): ChangeSender {
  if (offscreen) {
    const channel = new FrameChannel(offscreen, runtime);
    return { prepare: async () => {}, channel: () => channel, keepOnly: async () => {} };
  }
  const connections = new ConnectionRules(rules);
  return {
    // A change checks the rule again, and isn’t sent without it.
    prepare: (baseUrl) => connections.add(baseUrl).catch(() => {}),
    channel: (baseUrl) => ({
      async run(work) {
        await connections.add(baseUrl);
        return work(fetch);
      },
    }),
    keepOnly: (baseUrls) => connections.keepOnly(baseUrls),
  };
}
