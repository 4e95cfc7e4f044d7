/** State of the *OAuth2* tab: the page's services, the timeline, and the doctor. */
import { batch, computed, effect, signal } from '@preact/signals';
import type { ErrorValue } from '../../../platform-api/errors.ts';
import { DEFAULT_NAMESPACE } from '../../../platform-api/limits.ts';
import type { StringStorage } from '../../../shared/stored-value.ts';
import { type OAuth2Inspector, type OAuth2InspectorEvent } from '../../inspector/oauth2/index.ts';
import type { Panel } from '../shell/panel.ts';
import { registryKey } from '../shell/registry.ts';
import { DemoFaults } from './demo-service.ts';
import { Doctor } from './doctor/doctor.ts';
import { countFaults } from './doctor/finding.ts';
import { writeFlowFile } from './export-file.ts';
import { PageActions } from './page-actions.ts';
import { Timeline } from './timeline.ts';
import type { Entry, EntryDetail, OAuth2Page, OAuth2State } from './types.ts';

/** In milliseconds. A page is unreachable while it navigates, so errors are shown only after this delay. */
const NAVIGATION_TIME = 1_500;

export interface OAuth2StoreOptions {
  inspector: OAuth2Inspector;
  /** Called within an effect, because the namespace depends on the environment. */
  namespace: () => string;
  memory: StringStorage;
  saveFile: (name: string, text: string) => void;
  /** Requests the token needed to reload an environment's page. Resolves to false if that fails. */
  allowReload: () => Promise<boolean>;
  now?: () => number;
  /** Called with the number of problems that the doctor has found, whenever it changes. */
  onProblems?: (count: number) => void;
  /** How often the doctor checks for expired sessions, which no event reports, in milliseconds. */
  checkInterval?: number;
}

export class OAuth2Store {
  readonly page = signal<OAuth2Page | null>(null);
  /** Why the page can't be inspected. */
  readonly lost = signal<ErrorValue | null>(null);
  readonly timeline: Timeline;
  readonly actions: PageActions;
  readonly doctor: Doctor;
  readonly faults: DemoFaults;
  readonly canReload: boolean;
  readonly #options: Required<OAuth2StoreOptions>;
  readonly #diagnosedAt = signal(0);
  readonly #selectedService = signal<string | null>(null);
  #lostTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #cleanups: (() => void)[];

  /** The service whose details are shown. */
  readonly service = computed(() => {
    const services = this.page.value?.services ?? [];
    return services.find(({ name }) => name === this.#selectedService.value) ?? services[0] ?? null;
  });
  /** The doctor's input. */
  readonly state = computed<OAuth2State>(() => ({
    page: this.page.value,
    services: this.page.value?.services ?? [],
    entries: this.timeline.entries.value,
    dropped: this.timeline.dropped.value,
    now: this.#options.now(),
  }));
  readonly findings = computed(() => this.doctor.findings(Math.max(this.state.value.now, this.#diagnosedAt.value)));
  /** How many findings are more than advice. */
  readonly problems = computed(() => countFaults(this.findings.value));

  /** How the call of the shown API response ended, if the library reported it: its status and headers. */
  readonly apiEnd = computed(() => {
    const id = this.actions.apiResponse.value?.response.id;
    const documentId = this.page.value?.documentId;
    const isCall = ({ detail, documentId: of }: Entry): boolean =>
      detail.kind === 'action' && detail.id === id && of === documentId;
    const flow = this.timeline.flows.value.findLast(({ entries }) => entries.some(isCall));
    const ends = flow?.entries.flatMap(({ detail }) => (detail.kind === 'api-ended' ? [detail] : []));
    return ends?.at(-1) ?? null;
  });

  constructor(options: OAuth2StoreOptions) {
    this.#options = { now: Date.now, onProblems: () => {}, checkInterval: 5_000, ...options };
    const { inspector, memory, now, namespace, onProblems, checkInterval } = this.#options;
    this.timeline = new Timeline(memory, now);
    this.actions = new PageActions(inspector);
    this.doctor = new Doctor(this.state, (request) => inspector.probe(request));
    this.faults = new DemoFaults((request) => inspector.probe(request));
    this.canReload = inspector.canReload;
    const timer = setInterval(() => (this.#diagnosedAt.value = now()), checkInterval);
    this.#cleanups = [
      () => clearInterval(timer),
      effect(() => onProblems(this.problems.value)),
      inspector.subscribe((event) => this.#onEvent(event)),
      effect(() => void this.#attach(namespace())),
    ];
  }

  selectService(name: string): void {
    this.#selectedService.value = name;
  }

  /** A secret option's plain text, or null. */
  async reveal(service: string, path: string[]): Promise<string | null> {
    return this.actions.settle(await this.#options.inspector.reveal(service, path))?.text ?? null;
  }

  readonly refresh = (): Promise<void> => this.#attach();

  readonly reloadWithAgent = async (): Promise<void> => {
    const { inspector, allowReload } = this.#options;
    if (await allowReload()) this.actions.settle(await inspector.reloadWithAgent());
  };

  readonly exportTimeline = (): void =>
    this.#options.saveFile('platform-oauth2.json', writeFlowFile(this.state.peek()));

  dispose(): void {
    clearTimeout(this.#lostTimer);
    this.timeline.dispose();
    for (const cleanup of this.#cleanups) cleanup();
    this.#options.inspector.dispose();
  }

  async #attach(namespace?: string): Promise<void> {
    const attached = await this.#options.inspector.attach(namespace);
    if (!attached.ok) this.lost.value = attached.error;
  }

  #onEvent(event: OAuth2InspectorEvent): void {
    switch (event.kind) {
      case 'page-changed':
        return this.#onPage(event.page, event.newDocument);
      case 'events':
        for (const { n: _n, at, service, ...rest } of event.events) {
          const detail = rest as EntryDetail;
          this.timeline.add(event.documentId, service, detail, at);
          if (detail.kind === 'action') this.actions.onEvent(service, detail);
        }
        return this.timeline.render();
      case 'events-dropped':
        this.timeline.addDropped(event.documentId, event.count);
        return this.timeline.render();
      case 'page-lost':
        return this.#onLost(event.error);
      case 'page-recovered':
        return this.#onRecovered();
    }
  }

  #onPage(page: OAuth2Page, isNewDocument: boolean): void {
    const isNavigation = isNewDocument && this.page.peek() !== null;
    batch(() => {
      this.page.value = page;
      this.#onRecovered();
      if (isNewDocument) this.actions.reset();
      if (!isNavigation) return;
      if (!this.timeline.preserveLog.peek()) this.timeline.clear();
      this.timeline.add(page.documentId, '', { kind: 'navigated', url: page.url, origin: page.origin });
      this.timeline.render();
    });
  }

  #onLost(error: ErrorValue): void {
    clearTimeout(this.#lostTimer);
    if (this.page.peek() && error.code === 'PAGE_UNREACHABLE')
      this.#lostTimer = setTimeout(() => (this.lost.value = error), NAVIGATION_TIME);
    else this.lost.value = error;
  }

  #onRecovered(): void {
    clearTimeout(this.#lostTimer);
    this.lost.value = null;
  }
}

const OAUTH2_STORE = registryKey<OAuth2Store>('oauth2');

/** Created when the tab is first opened. It keeps inspecting the page even while another tab is open. */
export function oauth2Of({ registry, services, catalog, page, tabs }: Panel): OAuth2Store {
  return registry.get(
    OAUTH2_STORE,
    () =>
      new OAuth2Store({
        inspector: services.oauth2Inspector,
        namespace: () => catalog.environment.value?.namespace ?? DEFAULT_NAMESPACE,
        memory: services.memory,
        saveFile: services.saveFile,
        onProblems: (count) => tabs.setProblems('oauth2', count),
        allowReload: () => catalog.allowReload(page.state.peek()?.url ?? ''),
      }),
  );
}
