// Drives the six tools of Ygg with the official TypeScript clients, @modelcontextprotocol/sdk and its successor
// @modelcontextprotocol/client.
//
//     node --input-type=module - http URL KEY_A KEY_B < drive_tools.mjs
//     node --input-type=module - stdio YGG CONFIG PROFILE_A PROFILE_B < drive_tools.mjs
//
// A and B are two agents of one workspace with nothing in their inboxes. Prints one JSON object; exits with 1 when a
// result is wrong. The clients themselves check every structured result against the output schema of its tool.

import assert from 'node:assert/strict';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';

const TOOLS = ['ygg_inbox', 'ygg_send', 'ygg_conversation', 'ygg_me', 'ygg_directory', 'ygg_tasks'];
const [, , kind, where, ...whose] = process.argv;
const [config, first, second] = kind === 'http' ? [undefined, ...whose] : whose;
const INFO = { name: 'drive-tools', version: '1' };

/** @typedef {{ name: string, client: () => any, Http: any, Stdio: any }} Kind */

/** @type {Kind[]} */
const KINDS = [
  { name: 'sdk', client: () => new ClientV1(INFO), Http: HttpV1, Stdio: StdioV1 },
  { name: 'client, with initialize', client: () => new ClientV2(INFO), Http: HttpV2, Stdio: StdioV2 },
  {
    name: 'client, newest',
    client: () => new ClientV2(INFO, { versionNegotiation: { mode: 'auto' } }),
    Http: HttpV2,
    Stdio: StdioV2,
  },
];

/** One connected client. */
class Agent {
  calls = 0;

  /** @param {Kind} made @param {string} who */
  static async connect(made, who) {
    const agent = new Agent();
    agent.client = made.client();
    agent.transport =
      kind === 'http'
        ? new made.Http(new URL(where), { requestInit: { headers: { Authorization: `Bearer ${who}` } } })
        : new made.Stdio({ command: where, args: ['--config', config, 'mcp', '--profile', who] });
    await agent.client.connect(agent.transport);
    return agent;
  }

  /** Calls a tool and returns its data. `refused` is the reason that is expected, if one is. */
  async call(name, args = {}, refused = undefined) {
    this.calls += 1;
    const result = await this.client.callTool({ name, arguments: args });
    const data = result.structuredContent;
    const told = `${name}: ${JSON.stringify(result)}`;
    assert.deepEqual(result.content, [{ type: 'text', text: data?.text }], told);
    assert.equal(Boolean(result.isError), refused !== undefined, told);
    // The clients leave results that are errors unchecked.
    assert.ok(this.outputs[name](data), `${told}: ${JSON.stringify(this.outputs[name].errors)}`);
    if (refused !== undefined) assert.ok(data.reason === refused && data.text.includes(refused), told);
    return data;
  }

  /** Every schema compiles where nothing unknown is let through, in the drafts that clients take. */
  async list() {
    const { tools } = await this.client.listTools();
    assert.deepEqual(tools.map((tool) => tool.name), TOOLS);
    this.outputs = {};
    for (const { name, description, inputSchema, outputSchema } of tools) {
      assert.ok(description, name);
      for (const made of [Ajv, Ajv2020]) {
        const ajv = new made({ strict: true, allErrors: true });
        assert.ok(ajv.validateSchema(inputSchema) && ajv.compile(inputSchema), name);
        this.outputs[name] = ajv.compile(outputSchema);
      }
    }
  }
}

/** A request, its answer, and both done. Returns the topic. */
async function exchange(one, two) {
  const [me, other] = [await one.call('ygg_me'), await two.call('ygg_me')];
  assert.ok(me.workspace === other.workspace && me.id !== other.id, JSON.stringify([me, other]));
  const empty = await two.call('ygg_inbox');
  assert.ok(empty.wakes.length === 0 && empty.text.includes(other.id), JSON.stringify(empty));
  const asked = await one.call('ygg_send', {
    to: [other.id], type: 'request', topic_id: 'new', title: 'From TypeScript', text: `Is anybody there? ${Math.random()}`,
    state: 'waiting', waiting_for: [other.id], idempotency_key: `ask-${Math.random()}`,
  });
  assert.deepEqual(asked.recipients, [{ id: other.id, effect: 'wake' }]);
  const { topic_id: topic, message_id: request } = asked;
  for (const reading of [{ peek: true }, {}, { again: true }]) {
    const inbox = await two.call('ygg_inbox', reading);
    assert.equal(inbox.wakes[0].message_id, request, JSON.stringify(inbox));
    assert.ok(inbox.text.includes('Is anybody there?'), inbox.text);
  }
  const answered = await two.call('ygg_send', {
    to: [me.id], type: 'response', topic_id: topic, in_reply_to: request, text: 'I am.', state: 'done',
  });
  assert.equal(answered.recipients[0].effect, 'wake');
  const inbox = await one.call('ygg_inbox');
  assert.ok(inbox.wakes[0].kind === 'response' && inbox.text.includes('I am.'), JSON.stringify(inbox));
  const done = await one.call('ygg_send', {
    to: 'conversation', type: 'inform', topic_id: topic, text: 'Good.', state: 'done',
  });
  assert.equal(done.topic.status, 'closed', JSON.stringify(done));
  return topic;
}

async function lookAround(agent, topic) {
  const back = await agent.call('ygg_conversation', { topic_id: topic });
  assert.deepEqual(back.messages.map((message) => message.type), ['request', 'response', 'inform']);
  const directory = await agent.call('ygg_directory');
  assert.ok(directory.agents.length >= 2 && directory.people.length >= 1, JSON.stringify(directory));
  const added = await agent.call('ygg_tasks', { action: 'add', text: 'from TypeScript', status: 'doing' });
  const { id } = added.tasks.at(-1);
  const left = await agent.call('ygg_tasks', { action: 'remove', id });
  assert.ok(left.tasks.every((task) => task.id !== id), JSON.stringify(left));
}

async function beRefused(agent, topic_id) {
  const more = { to: ['conversation'], type: 'inform', topic_id, text: 'more' };
  await agent.call('ygg_send', more, 'topic_closed');
  const nobody = { to: ['nobody-here'], type: 'request', topic_id: 'new', title: 'x', text: 'x' };
  await agent.call('ygg_send', nobody, 'unknown_recipient');
  await agent.call('ygg_send', {}, 'invalid_message');
  await agent.call('ygg_conversation', { topic_id: 'top_x' }, 'unknown_topic');
  await agent.call('ygg_inbox', { peek: 'yes' }, 'invalid_message');
  await agent.call('ygg_tasks', { action: 'dance' }, 'invalid_message');
  // What no model could mend is an error of the protocol.
  await assert.rejects(agent.client.callTool({ name: 'no_such_tool', arguments: {} }), { code: -32602 });
}

/** Leaves nothing in the inbox for the next run. */
async function readOut(agent) {
  let inbox;
  do inbox = await agent.call('ygg_inbox');
  while (inbox.wakes.length > 0 || inbox.context.length > 0);
}

async function drive(made) {
  const agents = [await Agent.connect(made, first), await Agent.connect(made, second)];
  for (const agent of agents) await agent.list();
  const [one, two] = agents;
  const topic = await exchange(one, two);
  await lookAround(one, topic);
  await beRefused(two, topic);
  for (const agent of agents) await readOut(agent);
  const version = one.client.getNegotiatedProtocolVersion?.() ?? one.transport.protocolVersion;
  if (made.name === 'sdk' && kind === 'http') await one.transport.terminateSession();
  for (const agent of agents) await agent.client.close();
  return { client: made.name, version, calls: one.calls + two.calls };
}

const runs = [];
for (const made of KINDS) runs.push(await drive(made));
console.log(JSON.stringify({ ok: true, transport: kind, runs }));
