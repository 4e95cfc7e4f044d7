import { describe, expect, it } from 'vitest';
import { queryOf } from '../../../../lib/cli/commands/logs.ts';

const NOW = Date.parse('2026-11-23T14:00:00Z');

describe('--since', () => {
  it.each([
    ['30s', '2026-11-23T13:59:30.000Z'],
    ['10m', '2026-11-23T13:50:00.000Z'],
    ['2h', '2026-11-23T12:00:00.000Z'],
    ['1d', '2026-11-22T14:00:00.000Z'],
    ['2026-11-23T14:03:00+01:00', '2026-11-23T13:03:00.000Z'],
    ['2026-11-23', '2026-11-23T00:00:00.000Z'],
  ])('%s means %s', (since, from) => expect(queryOf({ since }, NOW)).toEqual({ from }));

  it.each(['', '10', '10 m', 'm', '-1m', 'yesterday', '2026-13-01', '999999999d', '1e3s'])('refuses “%s”', (since) =>
    expect(() => queryOf({ since }, NOW)).toThrow('--since must be a time such as 10m'),
  );
});

describe('--where', () => {
  it('is sent as it is', () =>
    expect(queryOf({ where: '{"type":"app.publish"}', state: 'failed' }, NOW)).toEqual({
      where: { type: 'app.publish' },
      outcome: 'failed',
    }));

  it.each(['', '[]', 'null', '{', 'type=app.publish'])('refuses %j, which isn’t an object', (where) =>
    expect(() => queryOf({ where }, NOW)).toThrow('--where must be a JSON object'),
  );

  it.each(['{"name":"x"}', '{"type":1}', '{"data":[]}'])('refuses %s before it’s sent', (where) =>
    expect(() => queryOf({ where }, NOW)).toThrow('--where can’t be used'),
  );
});
