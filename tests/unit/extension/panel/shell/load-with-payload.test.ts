/** Runs on runtimes that read the payload while their page loads. */
import { describe, expect, it } from 'vitest';
import { openPage } from '../../inspector/support/page.ts';
import { closing, openPanel } from './open-panel.ts';

/** Has the payload that its URL had when its script ran. */
const READS_AT_LOAD = `given = new URLSearchParams(location.search).get('payload');
  ENV = { appId: 1, taskId: 2, organizationId: 3, mode: 'preview', taskPipeline: [] };
  Platform = { App: { Actions: { Pipeline: { run: async () => given } } } };`;
const SANDBOXED = `${READS_AT_LOAD} origin = 'null'; history.replaceState = () => { throw new Error('sandboxed') };`;
const ENVIRONMENT = { id: 'e', name: 'Local', preset: 'local', baseUrl: 'http://localhost', namespace: 'Platform' };
const URL_OF_PAGE = 'http://localhost/v1/apps/1/tasks/2/compile?html';

/** @param losesPayload whether a reload gets another URL, as after a redirect */
async function open(before: string, environments: object[] = [], losesPayload = false) {
  const loads: string[] = [];
  const go = async (url: string): Promise<void> => {
    loads.push(url);
    bed.tab.page = await openPage({ before, agent: false, url });
    closing.push(() => bed.tab.page.close());
  };
  const bed = await openPanel(before, {
    respond: {
      'environments.list': { ok: true, value: environments },
      'apps.list': { ok: true, value: [{ id: 1, name: 'App', organizationId: 5 }] },
      'actions.list': { ok: true, value: [{ id: 2, name: 'first', appId: 1, triggers: [], functions: [] }] },
      'debugPage.allowReload': { ok: true, value: { url: '' } },
      'debugPage.open': async ({ payload }: { payload?: string }) => {
        await go(URL_OF_PAGE + (payload === undefined ? '' : `&payload=${encodeURIComponent(payload)}`));
        return { ok: true, value: { url: '' } };
      },
    },
    reload: () => void go(losesPayload ? URL_OF_PAGE : (bed.tab.page.run('location.href') as string)),
  });
  const run = async (payload: string) => {
    bed.panel.payloads.setText(payload);
    const before = bed.panel.runs.shown.value?.record.id;
    await bed.panel.run();
    await bed.tab.page.until(() => bed.panel.runs.shown.value?.record.id !== before);
    await bed.finished('completed');
    const { record, trace } = bed.panel.runs.shown.value!;
    return { payload: record.payload, result: trace.result };
  };
  return { ...bed, run, loads };
}

describe('a runtime that reads the payload while its page loads', () => {
  it('has it in the URL before, once for each payload', async () => {
    const { run, loads } = await open(READS_AT_LOAD);
    expect(await run('{}')).toMatchObject({ result: { t: 'null' } });
    expect(loads).toEqual([]);
    expect(await run('{ "a": 1 }')).toMatchObject({ payload: '{ "a": 1 }', result: { v: '{"a":1}' } });
    expect(await run('{"a":1}')).toMatchObject({ result: { v: '{"a":1}' } });
    expect(loads).toEqual([`${URL_OF_PAGE}&payload=%7B%22a%22%3A1%7D`]);
    expect(await run('{"a":2}')).toMatchObject({ result: { v: '{"a":2}' } });
    expect(loads).toHaveLength(2);
  });

  it('has it even in a sandbox, where nothing can change the URL', async () => {
    const { run, loads } = await open(SANDBOXED, [ENVIRONMENT]);
    expect(await run('{"a":1}')).toMatchObject({ payload: '{"a":1}', result: { v: '{"a":1}' } });
    expect(loads).toEqual([`${URL_OF_PAGE}&payload=%7B%22a%22%3A1%7D`]);
  });

  it('isn’t run if the page was loaded without it', async () => {
    const { panel } = await open(READS_AT_LOAD, [], true);
    panel.payloads.setText('{"a":1}');
    await panel.run();
    expect(panel.runs.error.value).toMatchObject({ code: 'PAYLOAD_NOT_SET' });
    expect(panel.runs.shown.value).toBeNull();
  });
});

describe('the URL of a debug page with a payload', () => {
  it('gives its action the payload when it’s pasted, once', async () => {
    const { panel } = await open(READS_AT_LOAD, [ENVIRONMENT]);
    const pasted = `<${URL_OF_PAGE.replace('tasks/2', 'tasks/3')}&payload=%7B%22b%22%3A1%7D>`;
    panel.catalog.setUrl(pasted);
    expect(panel.toOpen.value?.taskId).toBe(3);
    expect(panel.payloads.text.value).toBe('{"b":1}');
    panel.payloads.setText('{"b":2}');
    panel.catalog.setUrl(` ${pasted}`);
    expect(panel.payloads.text.value).toBe('{"b":2}');
  });
});

it('Open dismisses the error of an earlier run', async () => {
  const { panel } = await open(READS_AT_LOAD, [ENVIRONMENT]);
  panel.runs.report({ code: 'PAGE_NOT_READY', message: 'No.' });
  expect(await panel.openPage(URL_OF_PAGE)).toBe(true);
  expect(panel.runs.error.value).toBeNull();
});
