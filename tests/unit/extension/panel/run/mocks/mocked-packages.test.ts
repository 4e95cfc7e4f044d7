/** Which steps and packages mocks replace, known before a run. */
import { describe, expect, it } from 'vitest';
import {
  leavingPackages,
  mocksByPath,
  packagesIn,
} from '../../../../../../lib/extension/panel/run/mocks/mocked-packages.ts';
import { targetOptions, targetText } from '../../../../../../lib/extension/panel/run/mocks/mock-texts.ts';
import { pipelineNodes } from '../../../../../../lib/extension/panel/run/pipeline-tree.ts';
import { MAIL, PIPELINE } from './open-mocks.ts';

const READ = 'com.platform.function.read-datasource';
const STEP = '/1/functions/0';
const nodes = pipelineNodes(PIPELINE);
const texts = (...mocks: Parameters<typeof mocksByPath>[1]) =>
  Object.fromEntries([...mocksByPath(nodes, mocks)].map(([path, { text }]) => [path, text]));

describe('the tree', () => {
  it('says what each mocked step does in the next run', () => {
    expect(texts()).toEqual({});
    expect(texts({ target: { package: MAIL }, outcome: { value: { sent: true } }, delay: 500 })).toEqual({
      [STEP]: 'returns {"sent":true}, after 500 ms',
    });
    expect(texts({ target: { path: '/1' }, outcome: { skip: true } })).toEqual({ '/1': 'is skipped' });
    expect(texts({ target: { path: '/9' }, outcome: {} })).toEqual({});
  });

  it('says which mock is tried first: that of the path, also if it comes later', () => {
    const ofPackage = { target: { package: MAIL }, outcome: {} };
    const ofPath = { target: { path: STEP }, outcome: { error: { message: 'full' } } };
    expect(texts(ofPackage, ofPath)).toEqual({ [STEP]: 'fails: full' });
    expect(texts(ofPackage, { ...ofPath, condition: 'a' })).toEqual({ [STEP]: 'fails: full if a, or 1 other mock' });
  });
});

describe('the packages of a pipeline', () => {
  it('are those that mocks always replace, and those that can be called', () => {
    const mail = { target: { package: MAIL }, outcome: {} };
    expect(packagesIn(nodes, [mail])).toEqual({ replaced: [MAIL], called: [READ] });
    expect(packagesIn(nodes, [{ ...mail, condition: 'a' }])).toEqual({ replaced: [], called: [READ, MAIL] });
    expect(packagesIn(nodes, [{ ...mail, condition: 'a' }, mail])).toEqual({ replaced: [MAIL], called: [READ] });
    expect(packagesIn(nodes, [{ target: { path: STEP }, delay: 5 }, mail])).toEqual({
      replaced: [],
      called: [READ, MAIL],
    });
  });

  it('are called if only one of their steps is mocked', () => {
    const twice = pipelineNodes([...PIPELINE, { functionPackage: MAIL }]);
    expect(packagesIn(twice, [{ target: { path: STEP }, outcome: {} }]).called).toEqual([READ, MAIL]);
  });

  it('that leave the page are the platform’s and those that were marked, each once', () => {
    expect(leavingPackages(['x', MAIL])).toHaveLength(5);
    expect(leavingPackages([])).toHaveLength(4);
  });
});

describe('the target of a mock', () => {
  it('has a name, or its path if the pipeline doesn’t have it', () => {
    expect(targetText({ target: { package: MAIL } }, nodes)).toBe('every send-email');
    expect(targetText({ target: { path: STEP } }, nodes)).toBe(`send-email ${STEP}`);
    expect(targetText({ target: { path: '/9' } }, nodes)).toBe('/9');
  });

  it('is a step of the pipeline, one of its packages, or one that leaves the page', () => {
    const values = targetOptions(nodes).map(({ value }) => value);
    expect(values.slice(0, 5)).toEqual(['/0', '/1', STEP, READ, MAIL]);
    expect(values).toHaveLength(8);
  });
});
