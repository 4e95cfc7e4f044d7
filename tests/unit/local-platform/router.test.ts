import { Hono } from 'hono';
import { expect, it, vi } from 'vitest';
import { addRoutes } from '../../../lib/local-platform/http/router.ts';

it('responds with 500 without revealing the cause, and logs it', async () => {
  const app = new Hono();
  const log = vi.fn();
  const failure = new Error('connection to postgres://user:secret@host lost');
  addRoutes(app, [{ path: '/v1/x', auth: 'open', methods: { GET: () => Promise.reject(failure) } }], {
    authorize: vi.fn(),
    guard: () => {},
    limitBody: vi.fn(),
    log,
    pagesRoot: '/v1',
  });
  const response = await app.request('/v1/x');
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({
    error: 'INTERNAL',
    message: 'The platform couldn’t respond because of an internal error.',
    hint: 'Try again, and check the output of the platform for the cause.',
  });
  expect(log).toHaveBeenCalledWith(failure);
});
