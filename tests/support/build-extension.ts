/** Owns the builds that the browser tests load: made once per run, apart from the ones that a person works with. */
import type { TestProject } from 'vitest/node';
import { buildExtension } from '../../lib/demo/build.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the build for Chromium. */
    chromeExtension: string;
    /** Folder of the build for Firefox. */
    firefoxExtension: string;
  }
}

export async function setup(project: TestProject): Promise<void> {
  project.provide('chromeExtension', await buildExtension('chrome', 'test-results/extension'));
  project.provide('firefoxExtension', await buildExtension('firefox', 'test-results/extension'));
}
