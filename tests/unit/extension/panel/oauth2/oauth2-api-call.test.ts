/** Tests which API calls the panel offers for each library (specification, "Options of `api(options)`"). */
import { describe, expect, it } from 'vitest';
import { dataProblem, methodsOf } from '../../../../../lib/extension/panel/oauth2/api-call.ts';

const [ours, another] = [{ tracing: 'observed' }, { tracing: 'wrapped' }] as const;

describe('Platform.OAuth2', () => {
  it('has the four methods of the specification', () =>
    expect(methodsOf(ours)).toEqual(['get', 'post', 'put', 'delete']));

  it.each([
    ['get', '', null],
    ['post', '  ', null],
    ['get', '{"q": 1}', null],
    ['put', '[1]', null],
    ['post', 'null', null],
    ['delete', '', null],
    ['delete', '{"id": 1}', /^A DELETE call can’t send data/],
    ['post', '7', /^Data must be an object or an array/],
    ['get', '"text"', /^Data must be an object or an array/],
    ['get', '{"q": ', /^Data must be JSON: /],
  ])('for %s with the data %s', (method, text, problem) =>
    problem === null
      ? expect(dataProblem(ours, method, text)).toBeNull()
      : expect(dataProblem(ours, method, text)).toMatch(problem),
  );
});

describe('Another library with the same methods', () => {
  it('may have more methods, and accept any data', () => {
    expect(methodsOf(another)).toEqual(['get', 'post', 'put', 'delete', 'patch', 'head']);
    expect([dataProblem(another, 'delete', '{"id": 1}'), dataProblem(another, 'post', '7')]).toEqual([null, null]);
    expect(dataProblem(another, 'post', '{')).toMatch(/^Data must be JSON: /);
  });
});
