#!/usr/bin/env node
/** Entry point of the command `platform-devtools`. Checks Node’s version before it loads anything else. */
import { enableCompileCache } from 'node:module';

const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  console.error(`Platform DevTools needs Node 24 or later. This is Node ${process.versions.node}.`);
  process.exit(1);
}
// Cuts the start time by a tenth.
const { cacheFolder } = await import('../local-platform/installation.ts');
enableCompileCache(cacheFolder('node'));
const { main } = await import('./main.ts');
const { processHost } = await import('./command/host.ts');
process.exitCode = await main(process.argv.slice(2), processHost());
