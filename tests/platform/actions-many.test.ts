/** An app with more actions than one chunk of the streamed list. */
import { expect, it } from 'vitest';
import { sql } from '../../lib/local-platform/db/drizzle.ts';
import type { OpenedDatabase } from '../../lib/local-platform/db/open.ts';
import { actionsJson } from '../../lib/local-platform/apps/actions/list.ts';
import { onDatabase } from './support/databases.ts';

const [APP, OTHER, ACTIONS] = [103, 101, 2_500];

async function ids({ db }: OpenedDatabase, limit: number | undefined, offset: number): Promise<number[]> {
  let text = '';
  for await (const chunk of actionsJson(db, APP, { limit, offset })) text += chunk;
  return (JSON.parse(text) as { actions: { id: number }[] }).actions.map(({ id }) => id);
}

onDatabase(({ open }) => {
  it('is listed completely and in order, and any page of it is the same part', async () => {
    const database = await open();
    await database.db.execute(sql`
      insert into actions (app_id, name, triggers, functions, action_version)
      select case when n % 2 = 0 then ${APP}::int else ${OTHER}::int end, 'many-' || n, '[]'::json, '[]'::json, case when n % 10 = 0 then 'v3' else 'v2' end
      from generate_series(1, ${ACTIONS * 2}) n`);
    const { rows } = await database.db.execute<{ id: number }>(
      sql`select id from actions where app_id = ${APP} and action_version = 'v2' order by id`,
    );
    const all = rows.map(({ id }) => id);
    expect(await ids(database, undefined, 0)).toEqual(all);
    for (const [limit, offset] of [
      [1_000, 0],
      [1_500, 700],
      [10, 1_995],
      [undefined, 1_001],
      [0, 5],
      [5, 100_000],
    ] as const)
      expect(await ids(database, limit, offset)).toEqual(all.slice(offset, offset + (limit ?? all.length)));
  });
});
