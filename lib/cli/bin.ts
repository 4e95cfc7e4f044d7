/** Entry point of the command `platform-devtools`, once it’s known that this Node can run it. */
import { enableCompileCache } from 'node:module';
import { cacheFolder } from '../local-platform/installation.ts';
import { makeFolder } from '../local-platform/make-folder.ts';

// Cuts the start time by a tenth. Node would never return from a folder that can’t be made, such as one in /proc.
const cache = cacheFolder('node');
await makeFolder(cache).then(
  () => enableCompileCache(cache),
  () => undefined,
);
const { main } = await import('./main.ts');
const { processHost } = await import('./command/host.ts');
const { guardProcess } = await import('./command/output.ts');
const host = processHost();
guardProcess(process, host.tokens);
process.exitCode = await main(process.argv.slice(2), host);
