/**
 * If: runs its nested functions when a condition holds, and skips them otherwise.
 *
 * Settings
 *   condition  an expression over the context, such as `currentItem.data.Admin == true`
 */
Platform.Functions.register('com.platform.function.if', function (settings, context) {
  if (typeof settings.condition !== 'string') {
    throw new TypeError('if: the setting "condition" must be an expression in a text.');
  }
  const holds = Platform.Functions.compileCondition(settings.condition);
  // Rejecting without a reason skips the nested functions, and the run continues.
  if (!holds(context)) return Promise.reject();
});
