/** Owns the one trigger lab of a panel: going to another tab and back loses nothing, another app has another. */
import { computed } from '@preact/signals';
import type { Environment } from '../../../messaging/model/environment.ts';
import { trackEvent } from '../../../inspector/run/track-event.ts';
import type { Panel } from '../../shell/panel.ts';
import { createLab, type Lab } from './lab.ts';
import { modeInTab } from './mode-in-tab.ts';

const labs = new WeakMap<Panel, { key: string; lab: Lab }>();

export function labOf(panel: Panel, environment: Environment, appId: number): Lab {
  const key = `${environment.id} ${appId}`;
  const known = labs.get(panel);
  if (known?.key === key) return known.lab;
  known?.lab.stop();
  const { catalog, services } = panel;
  const lab = createLab({
    send: services.send,
    track: (method, data) => trackEvent(services.inspector, method, data),
    environmentId: environment.id,
    appId,
    organizationId: catalog.apps.peek().value?.find(({ id }) => id === appId)?.organizationId ?? null,
    actions: computed(() => catalog.actions.value.value ?? []),
    mode: computed(() => modeInTab(panel.page.state.value, environment.baseUrl, appId)),
  });
  labs.set(panel, { key, lab });
  return lab;
}
