/** Stops `Date` in a run’s context, if the platform’s clock is virtual. */

/** @param time epoch milliseconds */
export function stopClock(time: number): void {
  const RealDate = Date;
  RealDate.now = () => time;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args: unknown[], caller): Date =>
      Reflect.construct(target, args.length === 0 ? [time] : args, caller) as Date,
    apply: () => new RealDate(time).toString(),
  });
  RealDate.prototype.constructor = globalThis.Date;
}
