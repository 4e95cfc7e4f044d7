/** Owns the platform's time: the machine's, or a virtual one that stands still until it is moved. */

export interface Clock {
  readonly virtual: boolean;
  now(): Date;
  /** Moves a virtual clock; never back. */
  moveTo(time: Date): void;
}

/** @param start where a virtual clock stands; without one the machine's time is used */
export function createClock(start?: Date): Clock {
  if (!start) {
    return {
      virtual: false,
      now: () => new Date(),
      moveTo: () => {
        throw new Error('The time of this machine cannot be moved.');
      },
    };
  }
  let time = start.getTime();
  return { virtual: true, now: () => new Date(time), moveTo: (to) => void (time = Math.max(time, to.getTime())) };
}
