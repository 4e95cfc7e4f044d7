/** A switch that is remembered after the panel is closed. */
import { signal, type ReadonlySignal } from '@preact/signals';
import { readStored, writeStored, type StringStorage } from '../../../shared/stored-value.ts';

export class Preference {
  readonly #storage: StringStorage;
  readonly #key: string;
  readonly #isOn;

  /** Off by default. */
  constructor(storage: StringStorage, key: string) {
    this.#storage = storage;
    this.#key = key;
    this.#isOn = signal(readStored(storage, key) === 'on');
  }

  get isOn(): ReadonlySignal<boolean> {
    return this.#isOn;
  }

  readonly set = (isOn: boolean): void => {
    this.#isOn.value = isOn;
    writeStored(this.#storage, this.#key, isOn ? 'on' : 'off');
  };
}
