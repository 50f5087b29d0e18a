// Starts `hookgen lsp` for the catalogs of a workspace. All that is known about catalogs is in the server.

const { commands, window, workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

const start = async () => {
  const command = workspace.getConfiguration('hookgen').get('path', 'hookgen');
  client = new LanguageClient(
    'hookgen',
    'hookgen',
    { command, args: ['lsp'] },
    { documentSelector: [{ scheme: 'file', language: 'yaml', pattern: '**/specs/**/*.yaml' }] },
  );
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    window.showErrorMessage(`\`${command}\` does not start: ${error.message}. Is it installed, or is \`hookgen.path\` set?`);
  }
};

const stop = async () => {
  const running = client;
  client = undefined;
  await running?.stop();
};

exports.activate = async (context) => {
  const restart = async () => {
    await stop();
    await start();
  };
  context.subscriptions.push(
    commands.registerCommand('hookgen.restart', restart),
    workspace.onDidChangeConfiguration((change) => change.affectsConfiguration('hookgen.path') && restart()),
  );
  await start();
};

exports.deactivate = stop;
