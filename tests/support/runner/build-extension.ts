/** Builds the extension once per run of the browser tests. */
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildExtension } from '../../../lib/browser-driver/build.ts';
import { newRunId, RUN_VARIABLE } from './processes.ts';
import { startReaper } from './reaper.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the build for Chromium. */
    chromeExtension: string;
    /** Folder of the build for Firefox. */
    firefoxExtension: string;
  }
}

/** Each run has its own, so that two runs at the same time don’t overwrite each other’s builds. */
const FOLDER = `test-results/extension-${process.pid}`;

export async function setup(project: TestProject): Promise<void> {
  // `npm test` has done this. The tests’ processes, which start later, inherit the variable.
  if (process.env[RUN_VARIABLE] === undefined) startReaper((process.env[RUN_VARIABLE] = newRunId()));
  project.provide('chromeExtension', await buildExtension('chrome', FOLDER));
  project.provide('firefoxExtension', await buildExtension('firefox', FOLDER));
}

export async function teardown(): Promise<void> {
  await rm(resolve(import.meta.dirname, '../../..', FOLDER), { recursive: true, force: true });
}
