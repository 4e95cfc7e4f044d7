/** A project whose only test starts a process in its own group, as browsers are started, and never finishes. */
import { defineConfig } from 'vitest/config';
import { reporters } from '../../../support/runner/progress.ts';

export default defineConfig({
  test: { root: import.meta.dirname, include: ['hangs.ts'], reporters: reporters(), testTimeout: 0 },
});
