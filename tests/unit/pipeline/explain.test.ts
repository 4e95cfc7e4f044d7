/** Tests what is reported of the parts of a condition. */
import { describe, expect, it } from 'vitest';
import { type Explanation, explainCondition } from '../../../lib/pipeline/index.ts';

/** Each part with its state, from the outside in. */
const parts = (part: Explanation): string[] => [
  `${part.text} ${part.state === 'evaluated' ? `is ${JSON.stringify(part.value)}` : part.state}`,
  ...part.parts.flatMap(parts),
];

describe('an explained condition', () => {
  it('has the value of each part', () => {
    const found = explainCondition('user.age >= 18 && roles.includes("admin")', {
      user: { age: 36 },
      roles: ['admin'],
    });
    expect(parts(found)).toEqual([
      'user.age >= 18 && roles.includes("admin") is true',
      'user.age >= 18 is true',
      'user.age is 36',
      'user is {"age":36}',
      '18 is 18',
      'roles.includes("admin") is true',
      'roles is ["admin"]',
      '"admin" is "admin"',
    ]);
  });

  it.each([
    ['false && a', 'a'],
    ['true || a', 'a'],
    ['1 ?? a', 'a'],
    ['true ? 1 : a', 'a'],
    ['missing?.[a]', 'a'],
    ['[].map(() => a)', 'a'],
  ])('says that a part of %s wasn’t evaluated: %s', (source, text) => {
    const all: Explanation[] = [explainCondition(source, { a: 1 })];
    for (const part of all) all.push(...part.parts);
    expect(all.find((part) => part.text === text)).toMatchObject({
      state: 'not-evaluated',
      times: 0,
      value: undefined,
    });
  });

  it('reads what built-in values inherit, and names the part that reads what a class computes', () => {
    class Shape {
      get area(): number {
        throw new Error('This ran.');
      }
    }
    const found = explainCondition('map.size === 1 && shape.area > 1', { map: new Map([[1, 2]]), shape: new Shape() });
    expect(parts(found)).toEqual([
      'map.size === 1 && shape.area > 1 failed',
      'map.size === 1 is true',
      'map.size is 1',
      'map is {}',
      '1 is 1',
      'shape.area > 1 failed',
      'shape.area failed',
      'shape is {}',
      '1 not-evaluated',
    ]);
    expect((found.error as Error).message).toContain('can’t read “area”, which the object inherits from its class.');
  });

  it('names the part that failed, and everything around it', () => {
    const found = explainCondition('1 < 2 && records[0].data.email == "a"', { records: [{}] });
    expect(parts(found)).toEqual([
      '1 < 2 && records[0].data.email == "a" failed',
      '1 < 2 is true',
      '1 is 1',
      '2 is 2',
      'records[0].data.email == "a" failed',
      'records[0].data.email failed',
      'records[0].data is undefined',
      'records[0] is {}',
      'records is [{}]',
      '"a" not-evaluated',
    ]);
    expect((found.error as Error).message).toBe('Couldn’t read “email”: records[0].data is undefined.');
  });

  it('counts how often the body of an arrow function was evaluated, and has its last value', () => {
    const found = explainCondition('list.some((item) => item.id === 2)', { list: [{ id: 1 }, { id: 2 }, { id: 3 }] });
    expect(found).toMatchObject({ value: true, times: 1 });
    expect(found.parts[1]).toMatchObject({ text: 'item.id === 2', kind: 'binary', value: true, times: 2 });
  });

  it('has the value of a chain that found nothing', () => {
    expect(parts(explainCondition('a?.b.c', {}))).toEqual([
      'a?.b.c is undefined',
      'a?.b is undefined',
      'a is undefined',
    ]);
  });

  it('has the keys of members, the operators, and which names aren’t the context’s', () => {
    const found = explainCondition('a["b"] && a[key] > Math.PI', { a: { b: 1, c: 2 }, key: 'c' });
    expect(found).toMatchObject({
      operator: '&&',
      parts: [{ key: 'b' }, { operator: '>', parts: [{ key: 'c' }, { key: 'PI', parts: [{ isGlobal: true }] }] }],
    });
    expect(explainCondition('Math.PI', { Math: { PI: 3 } }).parts[0]).not.toHaveProperty('isGlobal');
  });

  it('refuses bad syntax with its column', () => {
    expect(() => explainCondition('a ==', {})).toThrow(
      expect.objectContaining({ code: 'INVALID_CONDITION', column: 5 }),
    );
  });

  it('has the limits of the condition', () => {
    const found = explainCondition('"x".repeat(1e9)', {});
    expect(found.state).toBe('failed');
    expect((found.error as Error).message).toMatch(/limited to 16,777,216 characters/);
  });

  it('changes nothing in the context, and reads it as the condition does', () => {
    const context = {
      list: [3, 1, 2],
      get time() {
        return (this.reads = (this.reads ?? 0) + 1);
      },
      reads: 0,
    };
    explainCondition('list.sort()[0] === time', context as never);
    expect(context).toMatchObject({ list: [3, 1, 2], reads: 1 });
  });
});
