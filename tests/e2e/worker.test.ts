import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { OptionsPage } from '../../lib/demo/options-page.ts';
import { until } from '../../lib/demo/until.ts';
import { type FaultyPlatform, startFaultyPlatform } from '../support/faulty-platform.ts';
import { stopWorker } from '../support/worker.ts';
import { findAction, startWorld, type World } from '../support/world.ts';

let world: World;
let faulty: FaultyPlatform;
const ACTION = 'is-email-registered';
beforeAll(async () => {
  world = await startWorld();
  faulty = await startFaultyPlatform(world.platform.baseUrl);
  await world.enter({ name: 'Faulty', baseUrl: faulty.baseUrl });
});
beforeEach(() => {
  faulty.fault = 'none';
});
afterEach(() => world.closeTabs());
afterAll(async () => {
  await faulty?.close();
  await world?.close();
});

test('a worker that is stopped before each message is started by it', async () => {
  const panel = await world.panel();
  const { app } = findAction(world.platform, ACTION);
  await stopWorker(world.extension);
  await panel.choose({ environment: 'Faulty' });
  await stopWorker(world.extension);
  await panel.choose({ app });
  await stopWorker(world.extension);
  await panel.choose({ action: ACTION });
  await stopWorker(world.extension);
  await panel.open();
  await stopWorker(world.extension);
  await panel.setPayload('{"email": "nobody@nowhere.example"}');
  expect(await panel.run()).toBe('completed');

  const options = await OptionsPage.open(world.extension);
  await stopWorker(world.extension);
  await options.add({ name: 'Second', preset: 'local', baseUrl: world.platform.baseUrl, token: world.platform.authToken });
});

test('a worker that is stopped while the apps are read is started once more, and they come', async () => {
  faulty.fault = 'silent';
  const before = faulty.requests.length;
  const panel = await world.panel();
  await panel.choose({ environment: 'Faulty' });
  await until('a request without an answer', () => faulty.requests.length > before);
  faulty.fault = 'none';
  await stopWorker(world.extension);
  await panel.choose({ app: findAction(world.platform, ACTION).app });
});

test('a worker that is stopped while a debug page is opened is told as such, and the page can be opened after all', async () => {
  const panel = await world.panel();
  const { app, appId, taskId } = findAction(world.platform, ACTION);
  await panel.choose({ environment: 'Faulty', app, action: ACTION });
  faulty.fault = 'silent';
  const path = `/v1/apps/${appId}/tasks/${taskId}/compile?html`;
  const asked = () => faulty.requests.filter((request) => request.path === path).length;
  const before = asked();
  await until('the button Open', () => panel.canPress('Open'));
  await panel.press('Open');
  await until('the request of the worker', () => asked() > before);
  await stopWorker(world.extension);
  expect((await until('an error', () => panel.alert())).code).toBe('WORKER_UNREACHABLE');
  faulty.fault = 'none';
  await panel.open();
});

test('no header rule is left behind by a worker that was stopped', async () => {
  const panel = await world.panel();
  const { app, appId, taskId } = findAction(world.platform, ACTION);
  await panel.choose({ environment: 'Faulty', app, action: ACTION });
  await panel.open();
  await stopWorker(world.extension);
  const path = `/v1/apps/${appId}/tasks/${taskId}/compile?html`;
  await panel.inspected.reload();
  const last = faulty.requests.filter((request) => request.path === path).at(-1);
  expect(last?.token).toBeUndefined();
});
