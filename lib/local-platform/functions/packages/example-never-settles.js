/**
 * Never settles (example): returns a Promise that never settles, for trying out how to stop a run.
 *
 * Settings: none
 */
Platform.Functions.register('com.example.function.never-settles', function () {
  return new Promise(() => {});
});
