/** Runs axe in a page or in the panel’s frame. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'puppeteer-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Axe {
  run(
    context: Document,
    options: object,
  ): Promise<{ violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[] }>;
}

/**
 * One line per violation of WCAG 2.2 A and AA, or of axe’s best practices.
 * @param theme themes differ only in colors, so only `light` checks everything else, too
 */
export async function violations(surface: Page | Frame, theme: 'light' | 'dark' = 'light'): Promise<string[]> {
  // Through the debugger, because the extension’s policy forbids a script element.
  if (!(await surface.evaluate(() => 'axe' in globalThis))) await surface.evaluate(SOURCE);
  return surface.evaluate(async (theme) => {
    const { axe } = globalThis as unknown as { axe: Axe };
    const { violations } = await axe.run(document, {
      resultTypes: ['violations'],
      ...(theme === 'dark' && { runOnly: ['color-contrast'] }),
    });
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${id}: ${help}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ''}`),
    );
  }, theme);
}
