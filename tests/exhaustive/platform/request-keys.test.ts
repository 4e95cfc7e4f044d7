/** A change with an `Idempotency-Key` is made once, whenever the platform is killed. */
import { it } from 'vitest';
import { onBothDatabases } from '../../platform/support/databases.ts';
import { killWhileChanging } from '../../platform/support/kill-while-changing.ts';

onBothDatabases((databases) => {
  it('makes a change once although the platform is killed right after or while making it', () =>
    killWhileChanging(databases, [0, 8, 20]));
});
