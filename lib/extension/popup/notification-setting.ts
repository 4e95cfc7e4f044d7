/** Whether notifications report how publishes ended. The browser’s permission serves as the setting. */
import { signal } from '@preact/signals';

export interface NotificationPermission {
  contains(): Promise<boolean>;
  /** Shows the browser’s prompt, so call it directly in a click handler. */
  request(): Promise<boolean>;
  remove(): Promise<boolean>;
}

export class NotificationSetting {
  /** Null until the browser responds. */
  readonly isOn = signal<boolean | null>(null);
  readonly wasRefused = signal(false);
  readonly #permission: NotificationPermission;

  constructor(permission: NotificationPermission) {
    this.#permission = permission;
  }

  async load(): Promise<void> {
    this.isOn.value = await this.#permission.contains();
  }

  async set(on: boolean): Promise<void> {
    this.wasRefused.value = false;
    await (on ? this.#permission.request() : this.#permission.remove());
    await this.load();
    this.wasRefused.value = on && !this.isOn.value;
  }
}
