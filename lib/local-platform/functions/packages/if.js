/**
 * If: runs its nested functions if a condition is true, and skips them otherwise.
 *
 * Settings
 *   condition  an expression over the context, such as `currentItem.data.Admin == true`
 */
Platform.Functions.register('com.platform.function.if', function (settings, context) {
  if (typeof settings.condition !== 'string') {
    throw new TypeError('if: the setting "condition" must be a string with an expression.');
  }
  const holds = Platform.Functions.compileCondition(settings.condition);
  // Rejecting without a reason skips the nested functions, and the run continues.
  if (!holds(context)) return Promise.reject();
});
