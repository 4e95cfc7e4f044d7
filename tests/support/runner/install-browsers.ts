/** Installs the browsers that the tests drive, in a separate process, while tests without browsers run. */
import { ensureBrowser } from '../../../lib/browser-driver/find-browser.ts';

try {
  ensureBrowser('chromium');
  ensureBrowser('firefox');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
