import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { compileUrl } from '../../../lib/platform-api/index.ts';
import { pasteUrl } from '../../support/paste-url.ts';
import { findAction, startTestBed, type TestBed } from '../../support/test-bed.ts';

const ACTION = 'is-email-registered';
let bed: TestBed;
beforeAll(async () => {
  bed = await startTestBed();
  await bed.enter();
});
afterEach(() => bed.closeTabs());
afterAll(() => bed?.close());

/** A payload whose compact JSON has exactly this many characters. */
const payloadOf = (length: number) => JSON.stringify({ email: 'x'.repeat(length - '{"email":""}'.length) });

test('an invalid payload shows why and disables Run until it is valid', async () => {
  const panel = await bed.panel({ in: 'page', action: ACTION });
  const cases: [string, string | null][] = [
    ['{"email": ', 'PAYLOAD_NOT_JSON'],
    ['[1, 2]', 'PAYLOAD_NOT_OBJECT'],
    ['"text"', 'PAYLOAD_NOT_OBJECT'],
    [payloadOf(2_049), 'PAYLOAD_TOO_LARGE'],
    [`{"email": "${'y'.repeat(1_000_000)}"}`, 'PAYLOAD_TOO_LARGE'],
    [payloadOf(2_048), null],
  ];
  for (const [payload, code] of cases) {
    await panel.setPayload(payload);
    await waitFor(
      `${code ?? 'no error'} for ${payload.slice(0, 20)}`,
      async () => (await panel.payloadError()) === code,
    );
    expect(await panel.canPress('Run')).toBe(code === null);
  }
  expect(await panel.run()).toBe('completed');
});

test('a compile URL is opened even without html, and one of another host, form, or app is refused', async () => {
  const { appId, taskId } = findAction(bed.platform, ACTION);
  const panel = await bed.panel({ in: 'page' });
  await panel.choose({ environment: 'Local' });
  for (const [url, code] of [
    ['weekly-report', 'URL_INVALID'],
    [`https://example.com/v1/apps/${appId}/tasks/${taskId}/compile?html`, 'URL_OTHER_HOST'],
    [`${bed.platform.baseUrl}/v1/apps/${appId}`, 'URL_NOT_COMPILE'],
    [compileUrl(bed.platform.baseUrl, 999_999, taskId), 'NOT_FOUND'],
  ] as const) {
    await pasteUrl(panel, url);
    await waitFor(`the refusal of ${url}`, async () => {
      const alert = await panel.alert();
      if (alert?.code !== code) throw new Error(`The panel shows ${alert?.code ?? 'no error'}.`);
      return true;
    });
    expect(panel.inspected.url()).toBe('about:blank');
  }
  await pasteUrl(panel, compileUrl(bed.platform.baseUrl, appId, taskId).replace('?html', ''));
  await panel.pipelineShown();
  expect(panel.inspected.url()).toBe(compileUrl(bed.platform.baseUrl, appId, taskId));
});

test('an action can be chosen, opened, and run with only the keyboard', async () => {
  const panel = await bed.panel({ in: 'page' });
  await panel.choose({ environment: 'Local' });
  const frame = panel.frame();
  const keyboard = panel.devtools.keyboard;
  const type = async (text: string) => {
    await keyboard.type(text);
    await waitFor(`the option ${text}`, () =>
      frame.$$eval(
        '[role=option][aria-selected=true]',
        (options, text) => options.some((option) => option.textContent?.includes(text)),
        text,
      ),
    );
    await keyboard.press('Enter');
  };
  await frame.focus('input[name=app]');
  await type(findAction(bed.platform, ACTION).app);
  await keyboard.press('Tab');
  // Enter also opens the action, and so does the button Open.
  await type(ACTION);
  await panel.pipelineShown();
  await waitFor('the button Open', () => panel.canPress('Open'));
  const first = await panel.inspected.evaluateHandle(() => document);
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await waitFor('a new document', () => first.evaluate(() => false).catch(() => true));
  await waitFor('the end of opening', () => panel.canPress('Open'));
  await panel.pipelineShown();
  await waitFor('the button Run', () => panel.canPress('Run'));
  await keyboard.down('Control');
  await keyboard.press('Enter');
  await keyboard.up('Control');
  expect(await panel.ended()).toBe('completed');
});
