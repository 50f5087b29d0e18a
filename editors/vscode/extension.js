// Starts `hookgen lsp` for the catalogs of a workspace. All that is known about catalogs is in the server.

const { workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

exports.activate = async () => {
  const command = workspace.getConfiguration('hookgen').get('path', 'hookgen');
  client = new LanguageClient(
    'hookgen',
    'hookgen',
    { command, args: ['lsp'] },
    { documentSelector: [{ scheme: 'file', language: 'yaml', pattern: '**/specs/*.yaml' }] },
  );
  await client.start();
};

exports.deactivate = () => client?.stop();
