// The official TypeScript clients keep one connection while their server is killed and started again.
//
//     node --input-type=module - YGG PORT PROFILE < outlive_server.mjs
//
// Prints one JSON object; exits with 1 when a result is wrong. The server finds its folders in the environment.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';

const [, , ygg, port, profile] = process.argv;
const INFO = { name: 'outlive-server', version: '1' };
const KINDS = {
  sdk: [new ClientV1(INFO), HttpV1],
  'client, with initialize': [new ClientV2(INFO), HttpV2],
  'client, newest': [new ClientV2(INFO, { versionNegotiation: { mode: 'auto' } }), HttpV2],
};

async function start() {
  const args = ['up', '--json', '--port', port, '--agent', 'scout', '--agent', 'builder'];
  const server = spawn(ygg, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(server.stdout), 'line');
  return { server, url: `${JSON.parse(line).url}/mcp` };
}

async function kill({ server }) {
  server.kill('SIGKILL');
  await once(server, 'exit');
}

let running = await start();
try {
  const { key } = JSON.parse(await readFile(profile, 'utf8'));
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  for (const [client, Http] of Object.values(KINDS)) {
    await client.connect(new Http(new URL(running.url), { requestInit }));
  }
  for (const [name, [client]] of Object.entries(KINDS)) {
    const draft = {
      to: ['builder'], type: 'request', topic_id: 'new', title: name, text: `Once, ${name}?`, idempotency_key: name,
    };
    const send = async () => (await client.callTool({ name: 'ygg_send', arguments: draft })).structuredContent;
    const first = await send();
    assert.equal(first.outcome, 'delivered', name);
    await kill(running);
    await assert.rejects(send(), name);
    running = await start();
    const again = await send();
    assert.deepEqual([again.duplicate, again.message_id], [true, first.message_id], name);
    const { tools } = await client.listTools();
    assert.equal(tools.length, 6, name);
  }
  for (const [client] of Object.values(KINDS)) await client.close();
} finally {
  await kill(running);
}
console.log(JSON.stringify({ ok: true }));
