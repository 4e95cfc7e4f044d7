/**
 * Write data source: adds entries to a data source.
 *
 * Settings
 *   dataSourceId  the data source’s ID
 *   entries       an array of objects, one for each new entry; {{expressions}} are filled in from the context
 */
Platform.Functions.register('com.platform.function.write-datasource', async function (settings, context) {
  if (!Number.isInteger(settings.dataSourceId)) {
    throw new TypeError('write-datasource: the setting "dataSourceId" must be an integer.');
  }
  const entries = Platform.Functions.fill(settings.entries, context);
  if (!Array.isArray(entries)) {
    throw new TypeError('write-datasource: the setting "entries" must be an array of objects.');
  }
  if (entries.length === 0) return;
  await Platform.request(`data-sources/${settings.dataSourceId}/entries`, { method: 'POST', body: { entries } });
});
