/** One local platform in memory for all test files of a worker process that leave its data as they are. */
import { type Platform, startPlatform } from '../../lib/local-platform/index.ts';

let shared: Promise<Platform> | undefined;

/** It ends with the process: its database is in memory, and its runner processes end with their parent. */
export function sharedPlatform(): Promise<Platform> {
  return (shared ??= startPlatform({ port: 0, data: 'memory' }));
}
