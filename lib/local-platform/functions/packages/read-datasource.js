/**
 * Read data source: reads the entries of a data source into `context.records`, as `[{ id, data }]`.
 *
 * Settings
 *   dataSourceId  the data source’s ID, or
 *   dataSource    its name or ID
 *   where         optional: fields and their required values; {{expressions}} are filled in from the context
 *   limit         optional: the maximum number of entries, oldest first
 */
Platform.Functions.register('com.platform.function.read-datasource', async function (settings, context) {
  const { dataSourceId, dataSource } = settings;
  const id = dataSourceId ?? (typeof dataSource === 'string' ? await findByName(dataSource) : dataSource);
  if (!Number.isInteger(id)) {
    throw new TypeError('read-datasource: set "dataSourceId" to an integer, or "dataSource" to a name or an ID.');
  }
  const query = new URLSearchParams();
  if (settings.where !== undefined) {
    query.set('where', JSON.stringify(Platform.Functions.fill(settings.where, context)));
  }
  if (settings.limit !== undefined) {
    query.set('limit', settings.limit);
  }
  const { entries } = await Platform.request(`data-sources/${id}/entries?${query}`);
  context.records = entries.map(({ id, data }) => ({ id, data }));

  async function findByName(name) {
    const { dataSources } = await Platform.request(`apps/${Platform.env().appId}/data-sources`);
    const found = dataSources.find((source) => source.name === name);
    if (!found) throw new Error(`read-datasource: this app has no data source named "${name}".`);
    return found.id;
  }
});
