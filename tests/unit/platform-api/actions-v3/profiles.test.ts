/** The two target profiles (actions-v3, "Triggers, limits, logs"). */
import { expect, it } from 'vitest';
import { V3_PROFILES } from '../../../../lib/platform-api/actions-v3/index.ts';

it('plain: 120 s on a server, 30 s on a client, results of 6 MB, returned as they are, and everything in the log', () => {
  expect(V3_PROFILES.plain).toMatchObject({
    time: { server: 120_000, client: 30_000 },
    result: 6 * 1024 * 1024,
    runsPerMinute: 30,
    hasEnvelope: false,
    logsValues: { server: true },
  });
});

it('envelope: 60 s on a server, 30 s on a client, results and payloads of 5 MiB, wrapped, and no values of server runs in the log', () => {
  expect(V3_PROFILES.envelope).toMatchObject({
    time: { server: 60_000, client: 30_000 },
    result: 5 * 1024 * 1024,
    payload: 5 * 1024 * 1024,
    runsPerMinute: 30,
    hasEnvelope: true,
    logsValues: { server: false },
  });
});
