/** The platform’s clock: real time, or a virtual time that changes only when it is moved. */

export interface Clock {
  readonly virtual: boolean;
  now(): Date;
  /** Moves a virtual clock; never back. */
  moveTo(time: Date): void;
}

/** @param start the time of a virtual clock; real time without it */
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
