/** The request rules that keep Firefox from reusing connections to platforms. */
import type { DeclarativeNetRequest } from 'webextension-polyfill';
import { beforeEach, expect, it } from 'vitest';
import { createChangeSender } from '../../../../../lib/extension/background/changes/change-sender.ts';
import { runAction } from '../../../../../lib/rest/index.ts';
import { toErrorValue } from '../../../../../lib/platform-api/index.ts';

let rules: DeclarativeNetRequest.Rule[];
let isRefused: boolean;
const browser = {
  getDynamicRules: async () => rules,
  async updateDynamicRules({
    addRules = [],
    removeRuleIds = [],
  }: {
    addRules?: typeof rules;
    removeRuleIds?: number[];
  }) {
    if (isRefused) throw new Error('Too many rules.');
    if (addRules.some(({ id }) => rules.some((rule) => rule.id === id))) throw new Error('The ID is taken.');
    rules = [...rules.filter(({ id }) => !removeRuleIds.includes(id)), ...addRules];
  },
};
const sender = () => createChangeSender(undefined, undefined as never, browser);
const filters = (): unknown[] => rules.map(({ condition }) => condition.urlFilter);
beforeEach(() => {
  rules = [];
  isRefused = false;
});

it('each origin has one rule, before its first request and after a restart of the worker', async () => {
  const changes = sender();
  await Promise.all([
    changes.prepare('https://api.example.com/eu'),
    changes.prepare('https://api.example.com/us'),
    changes.prepare('http://localhost:4400'),
  ]);
  await sender().prepare('http://localhost:4400');
  expect(filters()).toEqual(['|https://api.example.com/', '|http://localhost:4400/']);
  expect(rules[0]?.action).toEqual({
    type: 'modifyHeaders',
    requestHeaders: [{ header: 'Connection', operation: 'set', value: 'close' }],
  });
});

it('rules of removed environments are removed', async () => {
  const changes = sender();
  await changes.prepare('https://one.example');
  await changes.prepare('https://two.example');
  await changes.keepOnly(['https://two.example/path']);
  expect(filters()).toEqual(['|https://two.example/']);
});

it('a change isn’t sent without the rule, but data is still read', async () => {
  const changes = sender();
  isRefused = true;
  await changes.prepare('https://one.example');
  const connection = { baseUrl: 'https://one.example', token: 't', changes: changes.channel('https://one.example') };
  const error = await runAction(connection, { appId: 1, actionId: 2, payload: {} }).then(() => null, toErrorValue);
  expect(error).toMatchObject({ code: 'CHANGE_NOT_SENT', message: expect.stringContaining('Too many rules.') });
});
