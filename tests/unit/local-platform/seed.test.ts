import { describe, expect, it } from 'vitest';
import { validatePipeline } from '../../../lib/pipeline/index.ts';
import type { PipelineStep } from '../../../lib/platform-api/index.ts';
import { demoActions } from '../../../lib/local-platform/db/seed/actions.ts';
import { APPS, releaseNotes } from '../../../lib/local-platform/db/seed/apps.ts';
import { BAD_ADDRESS_INDEX, demoEntries, demoSources, PEOPLE } from '../../../lib/local-platform/db/seed/entries.ts';
import { demoSessions } from '../../../lib/local-platform/db/seed/sessions.ts';
import { createCatalogue } from '../../../lib/local-platform/functions/catalogue.ts';

const NOW = new Date('2026-11-20T00:00:00Z');
const actions = demoActions(NOW);

describe('the demo data', () => {
  it('is the same each time', () => {
    expect({ demoActions: demoActions(NOW), demoEntries: demoEntries(NOW), demoSessions: demoSessions(NOW) }).toEqual({
      demoActions: actions,
      demoEntries: demoEntries(NOW),
      demoSessions: demoSessions(NOW),
    });
  });

  it('has at least three apps, one without access for the developer, and at least one action for each', () => {
    expect(APPS.length).toBeGreaterThan(3);
    expect(APPS.filter(({ seenBy }) => !seenBy.includes(31))).toHaveLength(1);
    for (const { id } of APPS) expect(actions.some((action) => action.appId === id)).toBe(true);
  });

  it('has pipelines that are valid with the served packages', async () => {
    const packages = [...(await createCatalogue()()).keys()];
    for (const { name, functions } of actions)
      expect({ name, problems: validatePipeline(functions as PipelineStep[], { packages }) }).toEqual({
        name,
        problems: [],
      });
  });

  it('has triggers and steps of every type', () => {
    expect(new Set(actions.flatMap(({ triggers }) => triggers.map(({ trigger }) => trigger)))).toEqual(
      new Set(['log', 'schedule', 'manual', 'analytics']),
    );
    const steps = JSON.stringify(actions);
    for (const kind of [
      '"type":"function"',
      '"function":',
      '"type":"loop"',
      '"items":',
      '"range":',
      '"type":"if"',
      '"elseFunctions":',
    ])
      expect(steps).toContain(kind);
  });

  it('has triggers only where they can run', () => {
    for (const { environment, triggers, frequency, timezone } of actions) {
      for (const { trigger } of triggers) {
        if (trigger === 'log' || trigger === 'schedule') expect(environment).not.toBe('client');
        if (trigger === 'analytics') expect(environment).not.toBe('server');
        if (trigger === 'schedule')
          expect({ frequency, timezone }).toEqual({ frequency: expect.any(String), timezone: expect.any(String) });
      }
    }
  });

  it('has a few hundred entries, and one person with an invalid email', () => {
    const entries = demoEntries(NOW);
    expect(entries.length).toBeGreaterThan(300);
    for (const { dataSourceId } of entries) expect(demoSources.some(({ id }) => id === dataSourceId)).toBe(true);
    expect(PEOPLE.filter(({ email }) => !email.includes('@')).map((person) => PEOPLE.indexOf(person))).toEqual([
      BAD_ADDRESS_INDEX,
    ]);
    expect(new Set(PEOPLE.map(({ email }) => email)).size).toBe(PEOPLE.length);
  });

  it('has schedules that were last due before now and are next due after it', () => {
    for (const { lastRunAt, nextRunAt, frequency } of actions) {
      if (!lastRunAt || !nextRunAt) continue;
      expect(lastRunAt.getTime()).toBeLessThanOrEqual(NOW.getTime());
      expect(nextRunAt.getTime()).toBeGreaterThan(NOW.getTime());
      if (frequency === '0 7 * * 1') expect([nextRunAt.getUTCDay(), nextRunAt.getUTCHours()]).toEqual([1, 7]);
    }
  });

  it('has sessions that got their versions from the releases of their app, by the time of their last access', () => {
    const sessions = demoSessions(NOW);
    for (const app of APPS) {
      const past = releaseNotes(app).map(({ version, days }) => ({ version, at: NOW.getTime() - days * 86_400_000 }));
      for (const { id, appId, lastAccessedAt, appVersion, recordedVersion } of sessions) {
        if (appId !== app.id) continue;
        const { currentVersion, latestVersion, localUpdatedAt, lastCheckedAt, assetsToDownload } = appVersion!;
        const [updated, checked, seen] = [
          Date.parse(localUpdatedAt!),
          Date.parse(lastCheckedAt!),
          lastAccessedAt.getTime(),
        ];
        expect([
          id,
          past[currentVersion! - 1]!.at <= updated,
          updated <= seen,
          checked <= seen,
          seen <= NOW.getTime(),
        ]).toEqual([id, true, true, true, true]);
        expect({ id, latestVersion, recordedVersion }).toEqual({
          id,
          latestVersion: past.findLast(({ at }) => at <= checked)?.version,
          recordedVersion: app.version,
        });
        expect([id, currentVersion! <= latestVersion!, assetsToDownload! > 0]).toEqual([
          id,
          true,
          currentVersion! < latestVersion!,
        ]);
      }
    }
  });

  it('has the same users with the same devices on every day of the week', () => {
    const who = (now: Date) =>
      demoSessions(now).map(({ id, userEmail, identifier }) => ({ id, userEmail, identifier }));
    for (let day = 1; day < 8; day++) expect(who(new Date(NOW.getTime() + day * 90_000_000))).toEqual(who(NOW));
  });

  it('has sessions of a few hundred users on many devices, over weeks and versions, a few of them far behind', () => {
    const sessions = demoSessions(NOW).filter(({ appId }) => appId === 101);
    const versions = sessions.map(({ appVersion }) => appVersion!.currentVersion!);
    const days = new Set(sessions.map(({ lastAccessedAt }) => lastAccessedAt.toISOString().slice(0, 10)));
    expect(sessions).toHaveLength(320);
    expect(new Set(sessions.map(({ userEmail }) => userEmail)).size).toBeGreaterThan(150);
    expect(new Set(versions).size).toBeGreaterThan(4);
    expect(versions.filter((version) => version <= 10).length / versions.length).toBeLessThan(0.3);
    expect(days.size).toBeGreaterThan(20);
    expect(new Set(sessions.map(({ identifier }) => identifier!.browser!.family)).size).toBeGreaterThan(5);
  });
});
