/** The tours through the states of all surfaces, in their order: each one begins with what those before it left. */
import { RUN_STATES } from '../run-states.ts';
import { visitActions } from './actions.ts';
import { visitAppPage, visitApps, visitHostileApps } from './apps.ts';
import { visitMigration } from './migration.ts';
import { visitOAuth2 } from './oauth2.ts';
import { visitOptions } from './options.ts';
import { visitHostilePopup, visitPopup } from './popup.ts';
import { visitRun, visitRunViews } from './run.ts';
import type { Tour } from './tour.ts';

type Named = readonly [surface: string, tour: Tour];

export const TOURS: readonly Named[] = [
  ['the options page and the locked surfaces', visitOptions],
  ['the popup', visitPopup],
  ['the page of an app', visitAppPage],
  ['the Run tab', visitRun],
  ['the Actions tab', visitActions],
  ['the migration to V3', visitMigration],
  ['the OAuth2 tab', visitOAuth2],
  ['the Apps tab', visitApps],
];

/** Visit the same views with hostile data, after the others. */
export const HOSTILE_TOURS: readonly Named[] = [
  ['the Apps tab with hostile data', visitHostileApps],
  ['the popup with hostile data', visitHostilePopup],
];

/** Visit the views of a run: of debugging, comparisons, recordings, mocks, and reasons. */
export const RUN_TOURS: readonly Named[] = RUN_STATES.map((list) => [
  `the views of a run from ${list[0]!.name} on`,
  (place) => visitRunViews(place, list),
]);
