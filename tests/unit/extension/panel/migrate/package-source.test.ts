import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { packageSource } from '../../../../../lib/extension/panel/migrate/package-source.ts';

const sourceOf = (text: string) => {
  const found = packageSource('com.example.x', text);
  return 'source' in found ? found.source : found.reason;
};

test('a function becomes a script that registers it', () => {
  expect(sourceOf('async (settings, context) => { context.a = settings.b; }')).toBe(
    'Platform.Functions.register("com.example.x", async (settings, context) => { context.a = settings.b; });\n',
  );
});

test('a method becomes a function', () => {
  const registered = new Map<string, (settings: object) => unknown>();
  const Platform = { Functions: { register: registered.set.bind(registered) } };
  runInNewContext(sourceOf('run(settings) { return settings.a; }'), { Platform });
  expect(registered.get('com.example.x')?.({ a: 1 })).toBe(1);
});

test('says which name a function takes from the rest of its file', () => {
  expect(sourceOf('function ({ a }) { return helper(a.helper2); }')).toBe(
    'it uses helper, which is outside of its function',
  );
});

test.each([
  'function f({ a: [b, ...c], ...d }, e = 1) { return [b, c, d, e, f]; }',
  'function () { try { for (const [k] of Object.entries({})) { k; } } catch ({ message }) { message; } }',
  'function () { outer: for (;;) { break outer; } class A { x = 1; get y() { return new.target; } } return new A(); }',
  'function (settings) { return JSON.stringify({ shown: settings?.hidden, [settings.key]: undefined }); }',
])('finds no such name in %s', (text) => {
  expect(sourceOf(text)).toContain('Platform.Functions.register(');
});

test('text that isn’t a function’s source can’t be read', () => {
  expect(sourceOf('function () { [native code] }')).toBe('its source can’t be read');
});
