/** Says that the list of apps doesn’t have an app. */
import type { JSX } from 'preact';
import type { App } from '../../../lib/platform-api/app.ts';
import { unreadableOf } from '../../../lib/platform-api/lists/unreadable.ts';
import { EmptyState } from '../../ui/index.ts';

/** @param list the list that was loaded; null if it couldn’t be */
export function MissingApp({ list, button }: { list: readonly App[] | null; button: JSX.Element }): JSX.Element {
  const couldBeUnreadable = unreadableOf(list).length > 0;
  return (
    <EmptyState title={list ? 'This app isn’t in the list of apps' : 'Couldn’t load the apps'} actions={button}>
      {list ? (
        <p>
          The app was removed, this environment’s token has no access to it
          {couldBeUnreadable ? ', or it couldn’t be read.' : ', or the list is older than the app.'}
        </p>
      ) : (
        <p>Refresh the list of apps.</p>
      )}
    </EmptyState>
  );
}
