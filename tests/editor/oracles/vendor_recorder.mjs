#!/usr/bin/env node
// Stands between the Editor and the vendor's program, and writes down what each says to the other. `recorder.json` in its home says
// which program it is, and where its provider's double listens: nothing reaches the vendor.
import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const home = process.env.HOME;
const { program, address, key, log } = JSON.parse(readFileSync(`${home}/recorder.json`, 'utf8'));
const only = {
  ANTHROPIC_BASE_URL: address,
  ANTHROPIC_API_KEY: key,
  // A failure is to be seen, and not to be waited for; nobody else is to be asked.
  CLAUDE_CODE_MAX_RETRIES: '0',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  NO_PROXY: '*',
};
const child = spawn(program, process.argv.slice(2), { env: { ...process.env, ...only }, stdio: ['pipe', 'pipe', 'inherit'] });
const pass = (from, input, output) => {
  const lines = createInterface({ input });
  lines.on('line', (text) => {
    let line = text;
    try {
      line = JSON.parse(text);
    } catch {
      // It is kept as it is.
    }
    appendFileSync(log, `${JSON.stringify({ from, line })}\n`);
    output.write(`${text}\n`);
  });
  lines.on('close', () => output.end());
};
pass('editor', process.stdin, child.stdin);
pass('program', child.stdout, process.stdout);
child.stdin.on('error', () => {});
child.on('exit', (code) => process.exit(code ?? 1));
