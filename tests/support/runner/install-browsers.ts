/** Owns installing the browsers that the tests drive, as a program of its own: what needs none goes on meanwhile. */
import { ensureBrowser } from '../../../lib/browser-driver/find-browser.ts';

try {
  ensureBrowser('chromium');
  ensureBrowser('firefox');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
