/** Tests of faulty responses: `npm test` registers one of them, the exhaustive tests register all. */
import { expect, test } from 'vitest';
import { waitFor } from '../../lib/browser-driver/wait-for.ts';
import type { FaultyPlatform } from './servers/faulty-platform.ts';
import { findAction, type PanelOptions, type TestBed } from './test-bed.ts';

/** The faults by the code that the panel shows. */
export const FAULTS = [
  ['html', 'an HTML page', 'ANSWER_HTML'],
  ['empty', 'an empty body', 'ANSWER_EMPTY'],
  ['half-json', 'truncated JSON', 'ANSWER_CUT_OFF'],
  ['huge', 'ten megabytes', 'ANSWER_NOT_JSON'],
  ['other-json', 'JSON of another shape', 'ANSWER_INVALID'],
  ['unavailable', 'a status of 503', 'PLATFORM_UNAVAILABLE'],
] as const;

/** @param given what exists once the tests run: a bed with the faulty platform as the environment “Faulty” */
export function faultTests(
  given: () => { bed: TestBed; faulty: FaultyPlatform },
  place: NonNullable<PanelOptions['in']>,
  faults: readonly (typeof FAULTS)[number][],
): void {
  test.each(faults)(
    'a response with %s (%s) shows %s for a list of apps, and never opens as a debug page; the panel recovers with the platform',
    async (fault, _title, code) => {
      const { bed, faulty } = given();
      faulty.fault = fault;
      const panel = await bed.panel({ in: place });
      await panel.choose({ environment: 'Faulty' });
      expect((await panel.error()).code).toBe(code);
      faulty.fault = 'none';
      await panel.tryAgain();
      const { app } = findAction(bed.platform, 'is-email-registered');
      await panel.choose({ app, action: 'is-email-registered' });
      expect(await panel.alert()).toBeNull();
      await waitFor('the button Open', () => panel.canPress('Open'));
      // A debug page is HTML.
      if (fault !== 'html') {
        faulty.fault = fault;
        await panel.press('Open');
        expect((await panel.error()).code).toMatch(/^(ANSWER_|PLATFORM_)/);
        expect(panel.inspected.url()).toBe('about:blank');
        faulty.fault = 'none';
      }
      await panel.open();
      expect(await panel.alert()).toBeNull();
    },
  );
}
