/** Tests when the doctor sends requests, and which results it stores. */
import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { Doctor } from '../../../../../lib/extension/panel/oauth2/doctor/doctor.ts';
import type { OAuth2State, Probe, ProbeRequest } from '../../../../../lib/extension/panel/oauth2/types.ts';
import {
  call,
  CODE,
  IMPLICIT,
  login,
  NOW,
  popup,
  session,
  started,
  stateOf,
  authEvent,
} from './oauth2-doctor-world.ts';

function doctorOf(state: OAuth2State, answered = true) {
  const requests: ProbeRequest[] = [];
  const probe: Probe = (request) => {
    requests.push(request);
    return Promise.resolve(
      answered
        ? {
            ok: true,
            value: { answered: request.mode === 'no-cors', status: null, date: null, json: null, milliseconds: 3 },
          }
        : { ok: false, error: { code: 'PROBE_LOST', message: 'Gone.' } },
    );
  };
  const known = signal(state);
  const doctor = new Doctor(known, probe, () => NOW);
  const codes = (now = NOW) =>
    doctor
      .findings(now)
      .filter(({ severity }) => severity !== 'advice')
      .map(({ code }) => code);
  return { doctor, known, requests, codes };
}
const failed = stateOf({
  session: session(),
  happened: [...login, ...call(1, 'https://api.example/v1/items', null, 'TypeError')],
});

describe('The doctor', () => {
  it('sends no requests on its own', () => {
    const { codes, doctor, requests } = doctorOf(failed);
    expect(codes()).toEqual(['NETWORK_FAILED']);
    expect(doctor.checkup('demo')).toHaveLength(3);
    expect(requests).toEqual([]);
  });

  it('checks the discovery document and the API of a service', () => {
    expect(
      doctorOf(failed)
        .doctor.checkup('demo')
        .map(({ url, mode }) => `${mode} ${url}`),
    ).toEqual([
      'cors https://id.example/.well-known/oauth-authorization-server',
      'cors https://id.example/.well-known/openid-configuration',
      'cors https://api.example/v1',
    ]);
    const keycloak = stateOf({
      configuration: {
        ...CODE,
        authUrl: 'https://id.example/realms/a/protocol/openid-connect/auth',
        baseUrl: undefined,
      },
    });
    expect(
      doctorOf(keycloak)
        .doctor.checkup('demo')
        .map(({ url }) => url),
    ).toEqual([
      'https://id.example/.well-known/oauth-authorization-server/realms/a',
      'https://id.example/realms/a/.well-known/openid-configuration',
    ]);
    const named = stateOf({ configuration: { ...CODE, issuer: 'https://id.example/tenant/', baseUrl: 'ftp://x' } });
    expect(doctorOf(named).doctor.checkup('demo')[1]!.url).toBe(
      'https://id.example/tenant/.well-known/openid-configuration',
    );
    expect(
      doctorOf(
        stateOf({ configuration: { ...CODE, authUrl: 'javascript:alert(1)', baseUrl: undefined } }),
      ).doctor.checkup('demo'),
    ).toEqual([]);
    expect(doctorOf(failed).doctor.checkup('unknown')).toEqual([]);
  });

  it('finds out more in a check, and ignores the results on a page of another origin', async () => {
    const { codes, doctor, known } = doctorOf(failed);
    const asking = doctor.check(doctor.findings(NOW)[0]!.probes!);
    expect(doctor.isChecking.value).toBe(true);
    await asking;
    expect(doctor.isChecking.value).toBe(false);
    expect(codes()).toEqual(['CORS_REFUSED']);
    expect(doctor.checked.value.map(({ at }) => at)).toEqual([NOW, NOW]);
    known.value = { ...failed, page: { ...failed.page!, origin: 'https://other.example' } };
    expect(doctor.checked.value).toEqual([]);
    expect(codes()).toEqual(['NETWORK_FAILED']);
  });

  it('gets no result when the page is gone', async () => {
    const { codes, doctor } = doctorOf(failed, false);
    await doctor.check(doctor.findings(NOW)[0]!.probes!);
    expect(codes()).toEqual(['NETWORK_FAILED']);
    expect(doctor.isChecking.value).toBe(false);
    expect(doctor.checked.value[0]!.result).toBe(null);
    expect(doctor.findings(NOW)[0]!.probes).toHaveLength(2);
  });

  it('uses what the user saw', () => {
    const { codes, doctor } = doctorOf(
      stateOf({ happened: [started(), popup('opened'), popup('closed'), authEvent('auth.fail', 'POPUP_CLOSED')] }),
    );
    expect(codes()).toEqual(['POPUP_CLOSED']);
    doctor.answer(doctor.findings(NOW)[0]!.question!.about, true);
    expect(codes()).toEqual(['REDIRECT_URL_REFUSED']);
  });

  it('finds an expired session without an event', () => {
    const { codes } = doctorOf(
      stateOf({ configuration: IMPLICIT, session: session({ expires: NOW / 1000 + 5, refreshToken: null }) }),
    );
    expect([codes(), codes(NOW + 6_000)]).toEqual([[], ['SESSION_EXPIRED']]);
  });
});
