/** Tests of pages of other installations: `npm test` registers one of each kind, the exhaustive tests register all. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { fill } from '../../lib/browser-driver/pages/fill.ts';
import type { PanelPage } from '../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../lib/browser-driver/wait-for.ts';
import { type ForeignServer, startForeignPages } from './servers/foreign-pages.ts';
import { FOREIGN_FUNCTIONS, FOREIGN_RESULT, type ForeignRuntimeName } from './servers/foreign-runtimes.ts';
import { findAction, type PanelOptions, startTestBed, type TestBed } from './test-bed.ts';

/** Pages without a usable namespace, and what the panel shows. */
export const UNUSABLE = [
  ['no-platform', 'PLATFORM_ABSENT'],
  ['platform-is-a-string', 'PLATFORM_NOT_AN_OBJECT'],
  ['platform-throws', 'PLATFORM_THROWS'],
] as const;

/** Pages whose run fails, and a part of what the panel shows. */
export const THROWN = [
  ['throws-a-string', 'just a string'],
  ['rejects-with-undefined', 'undefined'],
] as const;

/** Pages whose run returns what isn’t plain JSON, and a part of what the panel shows. */
export const RETURNED = [
  ['returns-6-mb', /6(\.\d)? MB|6,291,458/],
  ['returns-a-function', /answer/],
  ['returns-a-bigint', /12345678901234567890n/],
  ['returns-a-node', /body/i],
  ['returns-a-cycle', /ring/],
] as const;

/** Pages whose run leaves them, and a part of what the panel shows. */
export const LEAVING = [
  ['navigates-away', 'The page navigated away'],
  ['reloads', 'The page was reloaded'],
] as const;

/** Registers the hooks of a file of these tests. */
export class ForeignPagesBed {
  pages!: ForeignServer;
  bed!: TestBed;
  private readonly place: PanelOptions['in'];

  constructor(place: PanelOptions['in']) {
    this.place = place;
    beforeAll(async () => {
      this.pages = await startForeignPages();
      this.bed = await startTestBed();
      await this.bed.enter();
    });
    afterEach(() => this.bed.closeTabs());
    afterAll(async () => {
      await this.bed?.close();
      await this.pages?.close();
    });
  }

  /** A panel with this page in its tab. */
  opened(page: Parameters<ForeignServer['url']>[0], place = this.place): Promise<PanelPage> {
    return this.panel(this.pages.url(page), place);
  }

  panel(url?: string, place = this.place): Promise<PanelPage> {
    return this.bed.panel({ ...(url !== undefined && { url }), ...(place && { in: place }) });
  }

  /** The panel still does its main job, in the same tab. */
  async expectUsable(panel: PanelPage): Promise<void> {
    const { app } = findAction(this.bed.platform, 'is-email-registered');
    await panel.choose({ environment: 'Local', app, action: 'is-email-registered' });
    await panel.press('Open');
    await waitFor('the debug page', async () => (await panel.inspected.title()).startsWith('is-email-registered'));
    await panel.pipelineShown();
    await panel.setPayload('{"email": "after@trouble.example"}');
    await waitFor('the payload taken', async () => (await panel.text()).includes('after@trouble.example'));
    expect(await panel.run()).toBe('completed');
    expect(JSON.parse(await panel.result())).toBe('after@trouble.example is not registered');
  }

  /** Opens and runs the debug page of an installation with this runtime. */
  async expectTraced(panel: PanelPage, runtime: ForeignRuntimeName): Promise<void> {
    await fill(panel.frame(), 'input[name=url]', this.pages.debugPage(runtime));
    await panel.press('Open');
    await waitFor(`the page of ${runtime}`, async () => (await panel.inspected.title()) === runtime);
    await waitFor(`functions of ${runtime}`, async () => (await panel.notice('TRACING_WRAPPED')) !== null);
    expect(await panel.canPress('Reload with tracing')).toBe(false);
    expect(await panel.run()).toBe('completed');
    expect(JSON.parse(await panel.result())).toBe(FOREIGN_RESULT);
    // The page can’t learn the extension’s ID from the script’s frames in a stack.
    expect(await panel.inspected.evaluate(() => document.documentElement.dataset.stack)).not.toContain('extension:');
    const steps = (await panel.steps()).map((step) => step.text);
    expect(steps).toEqual(FOREIGN_FUNCTIONS.map((name) => expect.stringContaining(name.split('.').at(-1)!)));
  }

  /** A panel whose environment is another installation. */
  async openedElsewhere(place = this.place): Promise<PanelPage> {
    await this.bed.enter({ name: 'Elsewhere', baseUrl: this.pages.origin, token: 'a-token-of-elsewhere' });
    const panel = await this.panel(undefined, place);
    await panel.choose({ environment: 'Elsewhere' });
    return panel;
  }
}

/** Registers a test for each of these pages. */
export function foreignPageTests(
  foreign: ForeignPagesBed,
  cases: {
    unusable: readonly (typeof UNUSABLE)[number][];
    thrown: readonly (typeof THROWN)[number][];
    returned: readonly (typeof RETURNED)[number][];
    leaving: readonly (typeof LEAVING)[number][];
    /** Whether the panel is used after a run that fails or is lost, too. */
    areUsedAfterward: boolean;
  },
): void {
  test.each(cases.unusable)(
    'a page with %s shows %s and can’t be run, and the panel stays usable',
    async (page, code) => {
      const panel = await foreign.opened(page);
      await waitFor(`the notice ${code}`, async () => (await panel.pageState()) === code);
      expect(await panel.canPress('Run')).toBe(false);
      await foreign.expectUsable(panel);
    },
  );

  test.each(cases.thrown)('a run that %s fails and shows what was thrown', async (page, message) => {
    const panel = await foreign.opened(page);
    await panel.pipelineShown();
    expect(await panel.run()).toBe('failed');
    expect(await panel.text()).toContain(message);
    if (cases.areUsedAfterward) await foreign.expectUsable(panel);
  });

  test.each(cases.returned)('a run that %s completes and shows its result', async (page, message) => {
    const panel = await foreign.opened(page);
    await panel.pipelineShown();
    expect(await panel.run()).toBe('completed');
    await waitFor(`the words ${message}`, async () => message.test(await panel.text()));
  });

  test.each(cases.leaving)('a run that %s is shown as lost', async (page, message) => {
    const panel = await foreign.opened(page);
    await panel.pipelineShown();
    await panel.start();
    await waitFor(`the words ${message}`, async () => (await panel.text()).includes(message));
    if (cases.areUsedAfterward) await foreign.expectUsable(panel);
  });
}
