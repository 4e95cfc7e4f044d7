/** The screen “Open visits”: shows how many visits are open, and returns that number to actions that target it. */
async function readOpenVisits(technician) {
  const where = { checkedOutAt: null, ...(technician && { technician: technician }) };
  const { entries } = await Platform.request(
    'data-sources/501/entries?where=' + encodeURIComponent(JSON.stringify(where)),
  );
  return entries;
}

Platform.Page.onRemoteExecution(async function (payload) {
  const visits = await readOpenVisits(payload.technician);
  return { open: visits.length };
});

if (typeof document !== 'undefined' && document.getElementById('screen')) {
  readOpenVisits().then(function (visits) {
    const output = document.createElement('output');
    output.textContent = visits.length + ' open visits';
    document.getElementById('screen').append(output);
  });
}
