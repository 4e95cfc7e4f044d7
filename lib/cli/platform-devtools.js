#!/usr/bin/env node
/**
 * Starts the command `platform-devtools`: in the repository from its source, in the npm package from its build. npm links
 * only commands whose file exists when it installs, and a clone has no build then.
 */
import { existsSync } from 'node:fs';

const source = new URL('bin.ts', import.meta.url);
await import(existsSync(source) ? source : new URL('dist/cli/bin.js', import.meta.url));
