/** Objects with arbitrary fields pass the schemas unchanged. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { App, LogRecord, NewLog, PlainObject, Trigger } from '../../../lib/platform-api/index.ts';

const TEXT = '{"__proto__":{"admin":true},"constructor":1,"prototype":[2],"toString":"x"}';
const fields = (): unknown => JSON.parse(TEXT);
const time = '2026-01-01T00:00:00.000Z';

describe('an object with fields that Object.prototype also has', () => {
  it.each<[string, v.GenericSchema, object, string]>([
    ['settings of an app', App, { id: 1, name: 'A', createdAt: time, updatedAt: time, organizationId: 1 }, 'settings'],
    ['where of a trigger', Trigger, { trigger: 'log' }, 'where'],
    ['data of a log record', LogRecord, { id: 1, appId: 1, type: 'x', createdAt: time }, 'data'],
    ['data of a new log record', NewLog, { type: 'x' }, 'data'],
  ])('keeps them in %s', (_, schema, rest, name) => {
    const saved = (v.parse(schema, { ...rest, [name]: fields() }) as Record<string, object>)[name]!;
    expect(JSON.stringify(saved)).toBe(TEXT);
    expect(Object.getPrototypeOf(saved)).toBe(Object.prototype);
    expect('admin' in saved).toBe(false);
  });

  it.each([[[]], [null], [7], ['text']])('doesn’t count %j as an object', (value) => {
    expect(v.is(PlainObject(), value)).toBe(false);
  });
});
