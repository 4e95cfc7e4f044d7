/** The start screen: buttons that run the app’s actions and show their results. */
(async function () {
  const { Actions, Analytics } = Platform.App;
  const screen = document.getElementById('screen');
  const actions = await Actions.get();

  for (const action of actions) {
    const line = document.createElement('p');
    const button = document.createElement('button');
    const output = document.createElement('output');
    button.textContent = action.name;
    button.addEventListener('click', async function () {
      button.disabled = true;
      output.textContent = ' …';
      try {
        output.textContent = ' ' + JSON.stringify(await Actions.runWithResult(action.name));
      } catch (error) {
        output.textContent = ' ' + error.code + ': ' + error.message;
      }
      button.disabled = false;
    });
    line.append(button, output);
    screen.append(line);
  }

  await Analytics.pageView();
})();
