/** What the production guard says of a run with mocks, and when it needn’t ask. */
import { describe, expect, it } from 'vitest';
import { dryRunMocks } from '../../../../../../lib/debugging/mocks/dry-run.ts';
import type { Mock } from '../../../../../../lib/debugging/mocks/types.ts';
import { ProductionGuard } from '../../../../../../lib/extension/panel/shared/production-guard.ts';
import { isSameQuestion, runQuestion } from '../../../../../../lib/extension/panel/shared/guard-questions.ts';
import { fakeSend } from '../../../../../support/fake-send.ts';
import { MAIL, PIPELINE } from './open-mocks.ts';

const CHARGE = { functionPackage: 'com.example.function.charge-card' };
const ask = (mocks: readonly Mock[], pipeline: unknown = PIPELINE) => runQuestion('notify', pipeline, mocks);

describe('the question before a run with mocks', () => {
  it('says what is mocked, and what really runs', () => {
    expect(ask([]).effect).toBe('Its functions really run: read-datasource, send-email.');
    expect(ask(dryRunMocks()).effect).toBe(
      '4 mocks are on. Mocked: send-email. Other functions really run: read-datasource.',
    );
    expect(ask([{ target: { package: 'x' }, outcome: {} }]).effect).toBe(
      '1 mock is on. Its functions really run: read-datasource, send-email.',
    );
  });

  it('isn’t asked if every function that could change something is mocked', async () => {
    const environment = { id: 'e', name: 'Acme', production: true, baseUrl: 'https://eu.example' };
    const send = fakeSend(() => ({ ok: true, value: [] }));
    const guard = new ProductionGuard({ send, environments: () => [environment as never] });
    expect(await guard.allow('e', ask(dryRunMocks()), async () => 'has run')).toBe('has run');
    void guard.allow('e', ask([]), async () => 'has run');
    await expect.poll(() => guard.question.value?.question.title).toBe('Run “notify”');
    guard.cancel();
  });

  it.each<[string, readonly Mock[], unknown?]>([
    ['without mocks', []],
    ['with a function that isn’t the platform’s', dryRunMocks(), [...PIPELINE, CHARGE]],
    ['with a mock that applies only sometimes', [{ target: { package: MAIL }, condition: 'a', outcome: {} }]],
    ['with a mock that only delays', [{ target: { package: MAIL }, delay: 10 }]],
    ['with a mock of another step', [{ target: { path: '/0' }, outcome: {} }]],
    [
      'with a mock that runs the function first if a condition is true',
      [{ target: { package: MAIL }, condition: 'a', delay: 5 }, ...dryRunMocks()],
    ],
    ['of an unknown pipeline', dryRunMocks(), null],
    ['with a step of an unknown type', dryRunMocks(), [...PIPELINE, { type: 'later' }]],
  ])('is asked %s', (_why, mocks, pipeline = PIPELINE) => {
    expect(ask(mocks, pipeline).harmless).toBeUndefined();
  });

  it('isn’t asked once the other packages are marked, too', () => {
    expect(ask(dryRunMocks([CHARGE.functionPackage]), [...PIPELINE, CHARGE]).harmless).toBe(true);
  });

  it('is another one if the run is no longer harmless', () => {
    const question = ask(dryRunMocks());
    const { harmless: _, ...asked } = question;
    expect(isSameQuestion(question, asked)).toBe(false);
  });
});
