/** A project whose only test starts a process of its own group, as a browser is started, and never finishes. */
import { defineConfig } from 'vitest/config';
import { reporters } from '../../../support/runner/progress.ts';

export default defineConfig({
  test: { root: import.meta.dirname, include: ['hangs.ts'], reporters: reporters(), testTimeout: 0 },
});
