/**
 * Wait: waits for a given time.
 *
 * Settings
 *   ms  the time in milliseconds
 */
Platform.Functions.register('com.platform.function.wait', function (settings) {
  const longest = 2 ** 31 - 1;
  if (!(typeof settings.ms === 'number' && settings.ms >= 0 && settings.ms <= longest)) {
    throw new TypeError(`wait: the setting "ms" must be a number of milliseconds from 0 to ${longest}.`);
  }
  return new Promise((resolve) => setTimeout(resolve, settings.ms));
});
