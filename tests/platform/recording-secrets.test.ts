/** Tests that recordings of server runs have no secrets: neither credentials, nor the tokens of the run and the user. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { replay } from '../../lib/debugging/replay/replay.ts';
import { onDatabase } from './support/databases.ts';
import { start, type TestPlatform } from './support/platform.ts';
import { created, packagesFolder, recordingOf, recordOf } from './support/recorded-runs.ts';

const PLANTED = 'planted-7f3a9c';

const PACKAGES = {
  /** Puts the run’s own token everywhere. */
  spread: `function (settings, context) {
    const { token } = ENV;
    context.whole = token;
    context.inside = { url: 'https://a.example/?x=' + encodeURIComponent(token), [token]: 1 };
    context.basic = 'Basic ' + btoa('me:' + token);
    context.login = { password: '${PLANTED}', 'Set-Cookie': ['a=${PLANTED}'] };
    console.log('The token is ' + token, { access_token: '${PLANTED}' }, 'password=${PLANTED}');
    return { token, refresh_token: '${PLANTED}' };
  }`,
  fails: `function (settings, context) { throw new Error('Refused ' + ENV.token + ', client_secret=${PLANTED}'); }`,
};

onDatabase(({ url }) => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await start({ databaseUrl: await url(), functions: await packagesFolder(PACKAGES) });
  });
  afterAll(() => platform.close());

  it('a recording on the platform has no credential, and neither the run’s token nor the user’s', async () => {
    const token = platform.authToken;
    const id = await created(platform, [
      { functionPackage: 'test.spread', settings: { headers: { authorization: PLANTED }, note: `as ${token}` } },
      { functionPackage: 'test.fails' },
    ]);
    const payload = { payload: { cookie: PLANTED, note: `password=${PLANTED}`, own: token, basic: btoa(`:${token}`) } };
    const record = await recordOf(platform, id, { payload });
    expect(record).toMatchObject({ hasRecording: true });
    const { text, body } = await recordingOf(platform, record);
    expect(body.steps.map(({ path }) => path)).toEqual(['/0', '/1']);
    expect(body.console).toHaveLength(1);
    expect(text).not.toContain(PLANTED);
    expect(text).not.toContain(token);
    expect(text).not.toContain(btoa(`:${token}`).slice(4, -4));
    // A run’s token starts like this, and is longer than any other word.
    expect(text).not.toMatch(/page\.[\w.-]{20}/);
    expect(text).not.toMatch(/[\w+/=-]{60}/);
    expect(await replay(body)).toMatchObject({ state: 'failed' });
  });
});
