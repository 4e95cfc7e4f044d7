/** What a token reaches, when asking for it fails. */
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../lib/local-platform/db/open.ts';
import { createAnswers } from '../../lib/local-platform/http/answers.ts';
import { requireDataSource } from '../../lib/local-platform/http/access.ts';

it('tells a failure of the database as what it is, not as a data source that is not there', async () => {
  const { db, close } = await openDatabase({ data: 'memory' });
  onTestFinished(close);
  const access = { tokenId: 1, userId: 1, appId: null, mode: null, isRun: false, depth: 0 };
  const answers = { ...createAnswers(), get: () => Promise.reject(new Error('connection lost')) };
  await expect(requireDataSource({ db, answers }, access, 511)).rejects.toThrow('connection lost');
  await expect(requireDataSource({ db, answers: createAnswers() }, access, 531)).rejects.toThrow(
    'There is no data source 531',
  );
});
