/** What is shown of a recorded request. */
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../../../lib/extension/inspector/contract.ts';
import { parseEvents } from '../../../../../lib/extension/inspector/run/parse.ts';
import { addEvents } from '../../../../../lib/extension/panel/run/build-trace.ts';
import { bodyText, cutText, listedUrl, requestFacts } from '../../../../../lib/extension/panel/run/describe-request.ts';
import { createTrace } from '../../../../../lib/extension/panel/run/trace.ts';
import { Preference } from '../../../../../lib/extension/panel/shared/preference.ts';

const base = { runId: 'r', at: 5 };
const started = { ...base, n: 1, kind: 'request-started', step: null, request: 1, method: 'GET', url: '/a' };
const ended = { ...base, n: 2, at: 9, kind: 'request-ended', request: 1, status: 200, bytes: 3 };

describe('a recorded request', () => {
  it('keeps the time of its response’s headers when its body is reported later', () => {
    const headers = [['content-type', 'text/plain']];
    const body = { text: 'abc' };
    const events = [started, { ...ended, headers }, { ...ended, n: 3, at: 400, body }] as AgentEvent[];
    const request = addEvents(createTrace('r', 0), events).requests.get(1);
    expect(request).toMatchObject({ end: 9, status: 200, responseHeaders: headers, responseBody: body });
  });

  it('can be one that an earlier version stored, without headers and bodies', () => {
    const read = parseEvents([started, ended], 'r');
    expect(read?.invalid).toBe(0);
    const request = addEvents(createTrace('r', 0), read?.events ?? []).requests.get(1);
    expect(request).toMatchObject({ end: 9 });
    expect(request?.headers).toBeUndefined();
  });

  it('is left out if its headers or its body have another form', () => {
    const invalid = [{ headers: [['a']] }, { headers: 'a' }, { body: 'a' }, { body: { text: 'a', cut: 'other' } }];
    const read = parseEvents(
      invalid.map((more, n) => ({ ...started, n, ...more })),
      'r',
    );
    expect(read).toMatchObject({ events: [], invalid: 4 });
  });

  it('shows JSON indented, and other or incomplete text as it is', () => {
    expect(bodyText({ text: '{"a":1}' })).toBe('{\n  "a": 1\n}');
    expect(bodyText({ text: '{"a":1', cut: 'length' })).toBe('{"a":1');
    expect(bodyText({ text: '{not json}' })).toBe('{not json}');
    expect(cutText({ text: '' })).toBeNull();
    expect(cutText({ text: '', cut: 'stream' })).toMatch(/stream of events/);
  });

  it('is listed without the page’s own origin', () => {
    expect(listedUrl('https://a.example/v1?x=1', 'https://a.example/page')).toBe('/v1?x=1');
    expect(listedUrl('https://a.example.evil/v1', 'https://a.example/page')).toBe('https://a.example.evil/v1');
    expect(listedUrl('/v1', null)).toBe('/v1');
  });

  it('shows its facts, also while it’s pending', () => {
    const line = { step: null, at: 5, id: 1, method: 'GET', url: '/a', end: null, status: null, bytes: null };
    expect(Object.fromEntries(requestFacts(line, 25))).toMatchObject({ Status: 'pending', Duration: '20 ms' });
    expect(Object.fromEntries(requestFacts(line, null))).toMatchObject({ Status: 'unknown', Duration: 'unknown' });
    expect(Object.fromEntries(requestFacts({ ...line, end: 6, error: 'no' }, null))).toMatchObject({ Status: 'no' });
  });
});

describe('a switch', () => {
  it('is off at first, and is remembered', () => {
    const stored = new Map<string, string>();
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    };
    const preference = new Preference(storage, 'k');
    expect(preference.isOn.value).toBe(false);
    preference.set(true);
    expect(preference.isOn.value).toBe(true);
    expect(new Preference(storage, 'k').isOn.value).toBe(true);
  });
});
