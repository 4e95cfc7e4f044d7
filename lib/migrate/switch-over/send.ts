/** Sends a request of a switch-over, and says what both versions are once it’s confirmed. */
import type { Result } from '../../platform-api/coded-error.ts';
import * as errors from './errors.ts';
import { contentOf, type Observed } from './next-request.ts';
import type { ChangeRequest, Draft, Journal, Ports } from './types.ts';

export async function send(
  ports: Pick<Ports, 'v2' | 'v3'>,
  request: ChangeRequest,
  { v2, v3 }: Observed,
  journal: Journal,
  draft: Draft | null,
): Promise<Result<Observed>> {
  if (request.to === 'v3.create') {
    if (!draft) return errors.v3Gone();
    return mapped(await ports.v3.create(draft), (created) => ({ v2, v3: created }));
  }
  if (request.to.startsWith('v2.')) {
    if (!v2) return errors.v2Gone();
    if (request.to === 'v2.update')
      return mapped(await ports.v2.setActive(v2, request.active), (updated) => ({ v2: updated, v3 }));
    if (request.to === 'v2.remove') return mapped(await ports.v2.remove(v2), () => ({ v2: null, v3 }));
    const isLive = request.to === 'v2.publish';
    const outcome = await ports.v2.publish(v2, isLive);
    return mapped(outcome, () => ({ v2: { ...v2, ...(v2.isLive !== undefined && { isLive }) }, v3 }));
  }
  if (!v3) return errors.v3Gone();
  if (request.to === 'v3.update')
    return mapped(await ports.v3.update(v3, contentOf(journal.draft, request.content)), (updated) => ({
      v2,
      v3: updated,
    }));
  if (request.to === 'v3.remove') return mapped(await ports.v3.remove(v3), () => ({ v2, v3: null }));
  if (request.to === 'v3.publish') return mapped(await ports.v3.publish(v3), (published) => ({ v2, v3: published }));
  const outcome = await ports.v3.unpublish(v3);
  return mapped(outcome, () => ({ v2, v3: { ...v3, ...(v3.live !== undefined && { live: null }) } }));
}

const mapped = <T, U>(result: Result<T>, map: (value: T) => U): Result<U> =>
  result.ok ? { ok: true, value: map(result.value) } : result;
