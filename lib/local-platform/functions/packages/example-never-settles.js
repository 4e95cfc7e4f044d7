/**
 * Never settles (example): starts work that never ends, to see how a run is stopped.
 *
 * Settings: none
 */
Platform.Functions.register('com.example.function.never-settles', function () {
  return new Promise(() => {});
});
