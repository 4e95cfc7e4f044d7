/** A tour brings a surface into each of its states, one after the other, and looks at each of them. */
import type { PanelPage } from '../../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { type Depth, faultsOf, type LookOptions, panelSurface, type Surface, takePictures } from '../surface.ts';
import type { TestBed } from '../test-bed.ts';
import { ask } from '../ask.ts';
import { click, press } from '../../../lib/browser-driver/pages/press.ts';

/** What is done in each state. @param name of its pictures */
export type Look = (surface: Surface, name: string, options?: LookOptions) => Promise<void>;

/** Where a tour takes place: a platform whose data it may change, and one panel for all tours. */
export interface Place {
  bed: TestBed;
  panel: PanelPage;
  /** Brief visits don’t reach states whose views other states show, too. */
  depth: Depth;
  look: Look;
}

export type Tour = (place: Place) => Promise<void>;

/** Looks at the states of a tour, and resolves to one line per fault. A thorough visit also takes pictures. */
export async function faultsOfTour(
  visit: Tour,
  { depth, ...place }: Pick<Place, 'bed' | 'panel' | 'depth'>,
): Promise<string[]> {
  const found: string[] = [];
  const look: Look = async (surface, name, options) => {
    if (depth === 'thorough') await takePictures(surface, name, options?.buttons !== undefined);
    found.push(...(await faultsOf(surface, depth, options)).map((fault) => `${name}: ${fault}`));
  };
  await visit({ ...place, depth, look });
  return found;
}

/** Helpers of a tour through the panel. */
export class PanelTour {
  readonly panel: PanelPage;
  private readonly place: Place;

  constructor(place: Place) {
    this.place = place;
    this.panel = place.panel;
  }

  /** Reloads the panel without saved state. */
  async reset(): Promise<void> {
    await this.panel.resize(1200);
    await this.panel.frame().evaluate(() => localStorage.clear());
    await this.panel.reload();
  }

  get isBrief(): boolean {
    return this.place.depth === 'brief';
  }

  async look(name: string, options?: LookOptions): Promise<void> {
    if (this.isBrief && options?.repeats) return;
    await this.place.look(panelSurface(this.panel), name, options);
    await this.panel.resize(1200);
  }

  async tab(name: string): Promise<void> {
    await press(this.panel.frame(), name, { role: 'tab' });
  }

  async click(selector: string): Promise<void> {
    await click(this.panel.frame(), selector);
  }

  async shows(selector: string): Promise<void> {
    await waitFor(selector, () => this.panel.frame().$(selector));
  }

  /** Sends a request as another developer does. */
  ask<T>(path: string, method?: string, body?: object): Promise<T> {
    return ask<T>(this.place.bed.platform, path, method, body);
  }
}
