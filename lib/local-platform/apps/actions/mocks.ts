/** Checks the mocks of a run: they must apply, since a run that ignored them would really send email. */
import { checkMocks, type MockProblem } from '../../../debugging/mocks/check-mocks.ts';
import type { Mock } from '../../../platform-api/index.ts';
import type { PublishedCopy } from '../../db/schema.ts';
import type { Mode } from '../../http/auth.ts';
import { conflict, HttpError, invalid, type Detail } from '../../http/errors.ts';

/**
 * Returns the mocks that are on.
 * @throws HttpError 422 `MOCKS_LIVE` for a published copy, `INVALID` for a mock that can’t apply; 409 `MOCKS_UNAVAILABLE` if the
 * server runs no pipeline
 */
export function applicableMocks(
  mocks: readonly Mock[],
  { name, functions, pageId, environment }: PublishedCopy,
  mode: Mode,
): Mock[] {
  const on = mocks.filter(({ isOff }) => !isOff);
  if (on.length === 0) return [];
  if (mode === 'live')
    throw new HttpError(422, 'MOCKS_LIVE', `Couldn’t run ${name} with mocks: this request runs the published copy.`);
  if (environment === 'client')
    throw unavailable(`Couldn’t run ${name} with mocks: it runs on the client, where these mocks don’t apply.`);
  if (pageId && functions.length === 0)
    throw unavailable(`Couldn’t run ${name} with mocks: it runs a screen, which has no steps.`);
  const problems = mocks.flatMap(problemsOf);
  if (problems.length > 0) throw invalid(problems.slice(0, MAX_DETAILS));
  return on;
}

const MAX_DETAILS = 20;
const unavailable = (message: string): HttpError => conflict('MOCKS_UNAVAILABLE', message);

/** Problems that keep a mock from applying. One that matches no step is none: sets of mocks are for several actions. */
function problemsOf(mock: Mock, index: number): Detail[] {
  if (mock.isOff) return [];
  return checkMocks([mock], []).flatMap(({ code, message }) => {
    const field = FIELDS[code];
    return field ? [{ path: `/mocks/${index}/${field}`, message }] : [];
  });
}

const FIELDS: Partial<Record<MockProblem['code'], keyof Mock>> = {
  MOCK_CONDITION_INVALID: 'condition',
  MOCK_VALUE_LOST: 'outcome',
};
