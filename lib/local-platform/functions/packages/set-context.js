/**
 * Set context: computes values and stores them in the context for the steps that follow.
 *
 * Settings
 *   assign  an object of names and expressions, evaluated in order, so later ones can use earlier names
 */
Platform.Functions.register('com.platform.function.set-context', function (settings, context) {
  const { assign } = settings;
  if (typeof assign !== 'object' || assign === null || Array.isArray(assign)) {
    throw new TypeError('set-context: the setting "assign" must be an object of names and expressions.');
  }
  for (const [name, expression] of Object.entries(assign)) {
    if (typeof expression !== 'string') {
      throw new TypeError(
        `set-context: the expression of "${name}" must be a string. Write a string value as "'text'".`,
      );
    }
    const value = Platform.Functions.compileCondition(expression)(context);
    // Assigning to __proto__ would set the object’s prototype.
    Object.defineProperty(context, name, { value, writable: true, enumerable: true, configurable: true });
  }
});
