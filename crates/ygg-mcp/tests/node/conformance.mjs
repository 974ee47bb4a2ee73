// Runs MCP's official conformance suite against a server, for each revision that has a set of requirements.
//
//     node --input-type=module - URL BASELINE [KEY] < conformance.mjs
//
// BASELINE lists what is expected to fail: something else that fails, and something listed that passes, end the run with 1.
// The suite cannot send a key, so where one is given a proxy between the two adds it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import path from 'node:path';

const REVISIONS = ['2025-11-25', '2026-07-28'];
const SUITE = path.join(process.cwd(), 'node_modules', '.bin', 'conformance');
const [, , url, baseline, key] = process.argv;

/** Passes everything on as it comes, Host and Origin too, which the suite tries out. */
function proxy(request, response) {
  const { hostname, port } = new URL(url);
  const headers = { ...request.headers, authorization: `Bearer ${key}` };
  const on = http.request({ hostname, port, path: request.url, method: request.method, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  on.on('error', () => response.destroy());
  request.pipe(on);
}

async function run(revision, target) {
  const args = [SUITE, 'server', '--url', target, '--requirements', revision, '--expected-failures', baseline];
  const suite = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  suite.stdout.on('data', (piece) => (said += piece));
  const [code] = await once(suite, 'close');
  const summary = said.slice(Math.max(0, said.indexOf('=== SUMMARY ===')));
  console.log(`${revision}: exit ${code}\n${code === 0 ? summary : said}`);
  return code === 0 && summary.includes('passed');
}

const server = http.createServer(proxy);
let target = url;
if (key !== undefined) {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  target = `http://127.0.0.1:${server.address().port}${new URL(url).pathname}`;
}
const passed = [];
for (const revision of REVISIONS) passed.push(await run(revision, target));
server.close();
server.closeAllConnections();
process.exitCode = passed.every(Boolean) ? 0 : 1;
