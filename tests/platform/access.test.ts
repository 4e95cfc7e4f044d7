/** Tests access to resources while the database fails. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { ResponseCache } from '../../lib/local-platform/http/response-cache.ts';
import { requireDataSource } from '../../lib/local-platform/http/access.ts';
import { pooledDatabase } from './support/pooled-database.ts';

it('reports a failed database as such, and not as a missing data source', async () => {
  const { db, close } = await pooledDatabase();
  onTestFinished(close);
  const access = { tokenId: 1, userId: 1, appId: null, mode: null, isRun: false, depth: 0 };
  const cache = new ResponseCache();
  vi.spyOn(cache, 'get').mockRejectedValue(new Error('connection lost'));
  await expect(requireDataSource({ db, cache }, access, 511)).rejects.toThrow('connection lost');
  await expect(requireDataSource({ db, cache: new ResponseCache() }, access, 531)).rejects.toThrow(
    'There is no data source 531',
  );
});
