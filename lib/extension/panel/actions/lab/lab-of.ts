/**
 * Provides the trigger lab of the selected app. Switching tabs keeps its state, and switching apps creates a new one.
 */
import { computed } from '@preact/signals';
import type { PageState } from '../../../inspector/contract.ts';
import { trackEvent } from '../../../inspector/api/track-event.ts';
import { type Environment, hasPage } from '../../../messaging/model/environment.ts';
import type { Panel } from '../../shell/panel.ts';
import { registryKey } from '../../shell/registry.ts';
import { type PageMode, TriggerLab } from './lab.ts';

interface LabOfApp {
  app: string;
  lab: TriggerLab;
  dispose(): void;
}

const LAB = registryKey<LabOfApp>('trigger lab');

export function labOf(panel: Panel, environment: Environment, appId: number): TriggerLab {
  // Under another base URL, the same ID belongs to another app.
  const app = `${environment.id} ${environment.baseUrl} ${appId}`;
  const create = (): LabOfApp => {
    const lab = createLab(panel, environment, appId);
    return { app, lab, dispose: () => lab.dispose() };
  };
  const current = panel.registry.get(LAB, create);
  if (current.app === app) return current.lab;
  const next = create();
  panel.registry.set(LAB, next);
  return next.lab;
}

function createLab(
  { backendOf, catalog, guard, page, services }: Panel,
  first: Environment,
  appId: number,
): TriggerLab {
  const environment = computed(() => catalog.environments.value.value?.find(({ id }) => id === first.id) ?? first);
  return new TriggerLab({
    backend: () => backendOf({ environmentId: first.id, appId }),
    guard,
    track: (method, data) => {
      const { documentId = '', url = '' } = page.state.peek() ?? {};
      const { namespace } = environment.peek();
      const target = { documentId, appId, namespace, ...(URL.canParse(url) && { origin: new URL(url).origin }) };
      return trackEvent(services.pageApi, target, method, data);
    },
    organizationId: catalog.apps.peek().value?.find(({ id }) => id === appId)?.organizationId ?? null,
    actions: computed(() => catalog.actions.value.value ?? []),
    mode: computed(() => modeInTab(page.state.value, environment.value, appId)),
  });
}

/**
 * Which page of the app is open in the inspected tab; null if none. Debug pages belong to an action and send no events.
 */
export function modeInTab(
  page: Pick<PageState, 'url' | 'env'> | null,
  environment: Pick<Environment, 'baseUrl' | 'pageUrls'>,
  appId: number,
): PageMode | null {
  if (!page?.env || page.env.appId !== appId || page.env.taskId !== null || !hasPage(environment, page.url))
    return null;
  return page.env.mode === 'preview' || page.env.mode === 'live' ? page.env.mode : null;
}
