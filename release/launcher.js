#!/usr/bin/env node
// Starts the hookgen of this machine's platform, which npm installed as an optional dependency.
"use strict";

const { spawn } = require("node:child_process");

const platform = `${process.platform}-${process.arch}`;
const end = process.platform === "win32" ? ".exe" : "";

let program;
try {
  program = require.resolve(`@hookgen/${platform}/bin/hookgen${end}`);
} catch {
  process.stderr.write(
    `error: there is no hookgen for ${platform} here. Was it installed without optional dependencies? ` +
      "Install it again with them, or build it with `cargo install`.\n",
  );
  process.exit(2);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  process.stderr.write(`error: ${program} does not start: ${error.message}\n`);
  process.exit(2);
});
child.on("exit", (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else {
    process.exit(code);
  }
});
