import { Hono } from 'hono';
import { expect, it, vi } from 'vitest';
import { addRoutes } from '../../../lib/local-platform/http/router.ts';

it('answers 500 without a word of what went wrong, and logs it', async () => {
  const app = new Hono();
  const log = vi.fn();
  const failure = new Error('connection to postgres://user:secret@host lost');
  addRoutes(app, [{ path: '/v1/x', auth: 'open', methods: { GET: () => Promise.reject(failure) } }], {
    authorize: vi.fn(),
    guard: () => {},
    limitBody: vi.fn(),
    log,
  });
  const answer = await app.request('/v1/x');
  expect(answer.status).toBe(500);
  expect(await answer.json()).toEqual({
    error: 'INTERNAL',
    message: 'The platform failed to answer; its output says why. Try again.',
  });
  expect(log).toHaveBeenCalledWith(failure);
});
