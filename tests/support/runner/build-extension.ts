/** Owns the builds that the browser tests load: made once per run, apart from the ones that a person works with. */
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildExtension } from '../../../lib/browser-driver/build.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the build for Chromium. */
    chromeExtension: string;
    /** Folder of the build for Firefox. */
    firefoxExtension: string;
  }
}

/** Of this run alone: another one that builds at the same time must not take the files from under a browser. */
const FOLDER = `test-results/extension-${process.pid}`;

export async function setup(project: TestProject): Promise<void> {
  project.provide('chromeExtension', await buildExtension('chrome', FOLDER));
  project.provide('firefoxExtension', await buildExtension('firefox', FOLDER));
}

export async function teardown(): Promise<void> {
  await rm(resolve(import.meta.dirname, '../../..', FOLDER), { recursive: true, force: true });
}
