#!/usr/bin/env node
/**
 * Starts the command `platform-devtools`: in the repository from its source, in the npm package from its build. npm links
 * only commands whose file exists when it installs, and a clone has no build then. Every Node must be able to parse this
 * file: so it has no static import, and no `await`.
 */
if (parseInt(process.versions.node) < 24) {
  console.error(`Platform DevTools needs Node 24 or later. This is Node ${process.versions.node}.`);
  process.exit(1);
}
const source = new URL('bin.ts', import.meta.url);
import('node:fs').then(
  ({ existsSync }) => import(existsSync(source) ? source : new URL('dist/cli/bin.js', import.meta.url)),
);
