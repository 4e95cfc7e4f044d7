/** The platform’s clock: real time, or a virtual time that changes only on request. */

export interface Clock {
  readonly virtual: boolean;
  now(): Date;
  /** Moves a virtual clock forward, never backward. */
  moveTo(time: Date): void;
}

/** @param start a virtual clock’s start time; if undefined, the clock shows real time */
export function createClock(start?: Date): Clock {
  if (!start) {
    return {
      virtual: false,
      now: () => new Date(),
      moveTo: () => {
        throw new Error('A real clock can’t be moved.');
      },
    };
  }
  let time = start.getTime();
  return { virtual: true, now: () => new Date(time), moveTo: (to) => void (time = Math.max(time, to.getTime())) };
}
