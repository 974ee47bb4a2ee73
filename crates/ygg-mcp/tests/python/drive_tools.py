#!/usr/bin/env python3
"""Drives the six tools of Ygg with the official Python client (mcp==2.3.0, httpx2).

    drive_tools.py http URL KEY_A KEY_B
    drive_tools.py stdio COMMAND PROFILE_A PROFILE_B

A and B are two agents of one workspace with nothing in their inboxes. In stdio mode each is served by
`COMMAND mcp --profile PROFILE`. Prints one JSON object; exits 1 when a result is wrong, 2 on wrong usage. The
client itself checks every structured result against the output schema that its tool declares.
"""

import asyncio
import json
import secrets
import shlex
import sys
import traceback
from contextlib import asynccontextmanager

import httpx2
import mcp
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

TOOLS = ["ygg_inbox", "ygg_send", "ygg_conversation", "ygg_me", "ygg_directory", "ygg_tasks"]


class Wrong(Exception):
    """A result that is not what it has to be."""


def expect(held, what, told=None):
    if not held:
        raise Wrong(f"{what}: {told}" if told is not None else what)


class Agent:
    """One connected client."""

    def __init__(self, client):
        self.client = client
        self.calls = 0

    async def call(self, tool, refused=None, **arguments):
        """Calls a tool; returns its data. `refused` is the reason that is expected, if one is."""
        self.calls += 1
        result = await self.client.call_tool(tool, arguments)
        data = result.structured_content
        expect(len(result.content) == 1 and result.content[0].type == "text", f"{tool}: one text block", result)
        expect(isinstance(data, dict), f"{tool}: structured content", result)
        expect(data.get("text") == result.content[0].text, f"{tool}: the same text on both sides", result)
        expect(bool(result.is_error) == (refused is not None), f"{tool}: refused or not", data)
        if refused is not None:
            expect(data["reason"] == refused and refused in data["text"], f"{tool}: {refused}", data)
            # The client leaves results that are errors unchecked; other clients do not.
            await self.client.session.validate_tool_result(tool, result)
        return data


def http(mode, url, key):
    @asynccontextmanager
    async def connected():
        headers = {"Authorization": f"Bearer {key}"}
        async with httpx2.AsyncClient(headers=headers, timeout=30) as sender:
            transport = streamable_http_client(url, http_client=sender)
            async with mcp.Client(transport, mode=mode) as client:
                yield Agent(client)

    return connected()


def stdio(mode, command, profile):
    @asynccontextmanager
    async def connected():
        program, *arguments = shlex.split(command)
        server = StdioServerParameters(command=program, args=[*arguments, "mcp", "--profile", profile])
        async with mcp.Client(stdio_client(server), mode=mode) as client:
            yield Agent(client)

    return connected()


async def listed(agent):
    tools = (await agent.client.list_tools()).tools
    expect([tool.name for tool in tools] == TOOLS, "six tools", [tool.name for tool in tools])
    for tool in tools:
        expect(bool(tool.description) and tool.output_schema is not None, f"{tool.name} is declared", tool)
    return len(tools)


async def exchange(first, second):
    """A request, its answer, and both done. Returns the topic."""
    me, other = await first.call("ygg_me"), await second.call("ygg_me")
    expect(me["workspace"] == other["workspace"] and me["id"] != other["id"], "two agents of one workspace", me)
    empty = await second.call("ygg_inbox")
    expect(empty["wakes"] == [] and other["id"] in empty["text"], "an empty inbox says whose it is", empty)

    asked = await first.call(
        "ygg_send", to=[other["id"]], type="request", topic_id="new", title="From Python",
        text=f"Is anybody there? {secrets.token_hex(4)}", state="waiting", waiting_for=[other["id"]],
    )
    expect(asked["recipients"] == [{"id": other["id"], "effect": "wake"}], "a request wakes", asked)
    topic, request = asked["topic_id"], asked["message_id"]

    peeked = await second.call("ygg_inbox", peek=True)
    taken = await second.call("ygg_inbox")
    again = await second.call("ygg_inbox", again=True)
    for inbox in (peeked, taken, again):
        expect(inbox["wakes"][0]["message_id"] == request, "the wake is there", inbox)
        expect("Is anybody there?" in inbox["text"], "with its text", inbox)

    answered = await second.call(
        "ygg_send", to=[me["id"]], type="response", topic_id=topic, in_reply_to=request, text="I am.", state="done",
    )
    expect(answered["recipients"][0]["effect"] == "wake", "the answer wakes its asker", answered)
    inbox = await first.call("ygg_inbox")
    expect(inbox["wakes"][0]["kind"] == "response" and "I am." in inbox["text"], "it arrives", inbox)
    done = await first.call("ygg_send", to="conversation", type="inform", topic_id=topic, text="Good.", state="done")
    expect(done["topic"]["status"] == "closed", "all done: closed", done)
    return topic


async def look_around(agent, topic):
    back = await agent.call("ygg_conversation", topic_id=topic)
    expect([line["type"] for line in back["messages"]] == ["request", "response", "inform"], "read back", back)
    part = await agent.call("ygg_conversation", message_id=back["messages"][0]["message_id"], **{"from": 3})
    expect("anybody there?" in part["text"], "one message from a character on", part)
    directory = await agent.call("ygg_directory")
    expect(len(directory["agents"]) >= 2 and len(directory["people"]) >= 1, "people and agents", directory)

    added = await agent.call("ygg_tasks", action="add", text="from Python", status="doing")
    task = added["tasks"][-1]
    expect(task["status"] == "doing" and "from Python" in added["text"], "a task is added", added)
    await agent.call("ygg_tasks", action="update", id=task["id"], status="done")
    left = await agent.call("ygg_tasks", action="remove", id=task["id"])
    expect(all(other["id"] != task["id"] for other in left["tasks"]), "and removed", left)


async def be_refused(agent, topic):
    await agent.call("ygg_send", "topic_closed", to=["conversation"], type="inform", topic_id=topic, text="more")
    await agent.call("ygg_send", "unknown_recipient", to=["nobody-here"], type="request", topic_id="new", title="x", text="x")
    await agent.call("ygg_send", "invalid_message")
    await agent.call("ygg_conversation", "invalid_message")
    await agent.call("ygg_conversation", "unknown_topic", topic_id="top_x")
    await agent.call("ygg_inbox", "invalid_message", peek="yes")
    await agent.call("ygg_tasks", "invalid_message", action="dance")


async def read_out(agent):
    """Leaves nothing in the inbox for the next run."""
    for _ in range(20):
        inbox = await agent.call("ygg_inbox")
        if not inbox["wakes"] and not inbox["context"]:
            return
    raise Wrong("an inbox that does not end")


async def drive(connect, mode, first, second):
    async with connect(mode, first) as one, connect(mode, second) as two:
        tools = await listed(one)
        topic = await exchange(one, two)
        await look_around(one, topic)
        await be_refused(two, topic)
        await read_out(one)
        await read_out(two)
        version = one.client.session.protocol_version
        return {"mode": mode, "version": version, "tools": tools, "calls": one.calls + two.calls, "topic": topic}


def main(arguments):
    if len(arguments) != 4 or arguments[0] not in ("http", "stdio"):
        print(__doc__, file=sys.stderr)
        return 2
    kind, where, first, second = arguments
    opened = http if kind == "http" else stdio

    def connect(mode, whose):
        return opened(mode, where, whose)

    summary = {"transport": kind, "client": f"mcp {mcp_version()}", "runs": []}
    try:
        # `auto` asks for the newest revision first, `legacy` begins with `initialize`.
        for mode in ("auto", "legacy"):
            run = asyncio.run(asyncio.wait_for(drive(connect, mode, first, second), 120))
            summary["runs"].append(run)
        summary["ok"] = True
    except Exception as problem:  # whatever it is, the caller gets its summary
        traceback.print_exc()
        summary["ok"] = False
        summary["problem"] = innermost(problem)
    print(json.dumps(summary))
    return 0 if summary["ok"] else 1


def innermost(problem):
    """Task groups wrap what went wrong."""
    while isinstance(problem, BaseExceptionGroup):
        problem = problem.exceptions[0]
    return f"{type(problem).__name__}: {problem}"


def mcp_version():
    from importlib.metadata import version

    return version("mcp")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
