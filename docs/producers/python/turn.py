"""Publishes one turn of a conversation for Plumbline: what the person said, what a tool gave, what the agent answered.

    pip install nats-py
    NATS_URL=nats://127.0.0.1:4222 python turn.py

Producer, subject and token are what to copy.
"""

import asyncio
import json
import os
import random
import time
from datetime import datetime, timezone

import nats
import nats.errors
import nats.js.errors

PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~")


def token(name: str) -> str:
    """One token of a subject: a byte outside A-Z a-z 0-9 - _ ~ is written %XX, and an empty name %00."""
    if name == "":
        return "%00"
    return "".join(chr(b) if b in PLAIN else f"%{b:02X}" for b in name.encode())


def subject(event: dict, prefix: str = "agent") -> str:
    """The subject that all events of a conversation are published on."""
    names = (event["tenant"], event["agent"], event["conversation"])
    return ".".join([prefix, "events", *map(token, names)])


class Producer:
    """Publishes events; each is tried until the server has said that it is stored.

    Await publish for the events of one conversation in turn: their order is the order of the stream. Conversations
    may be published side by side.
    """

    def __init__(self, connection, prefix: str = "agent", give_up_after: float = 300.0):
        self._connection = connection
        self._js = connection.jetstream()
        self._prefix = prefix
        self._give_up_after = give_up_after  # seconds

    async def publish(self, event: dict):
        """Gives the server's acknowledgement; raises when the event never will be stored."""
        on = subject(event, self._prefix)
        data = json.dumps(event, ensure_ascii=False).encode()
        headers = {"Content-Type": "application/json", "Nats-Msg-Id": event["id"]}
        deadline = time.monotonic() + self._give_up_after
        pause = 0.1  # seconds
        while True:
            try:
                return await self._js.publish(on, data, timeout=5, headers=headers)
            except (nats.errors.Error, asyncio.TimeoutError) as err:
                if lasting(err) or time.monotonic() + pause > deadline:
                    raise
            await asyncio.sleep(pause * random.uniform(0.5, 1))
            pause = min(pause * 2, 5)

    async def close(self):
        """Ends the connection once what is on its way has been sent."""
        await self._connection.drain()


def lasting(err: Exception) -> bool:
    """Whether another try would end the same way. Everything else is tried again: no answer, no leader, no server."""
    if isinstance(err, nats.js.errors.APIError):
        return 400 <= (err.code or 0) < 500
    return isinstance(err, (nats.errors.MaxPayloadError, nats.errors.ConnectionClosedError))


def events():
    """What an agent's runtime knows of one turn."""
    turn = {"v": 1, "tenant": "acme", "agent": "order desk", "conversation": "python.1", "turn": 1}

    def event(kind: str, name: str, **more) -> dict:
        return {**turn, "type": kind, "id": f"python.1/1/{name}", "time": datetime.now(timezone.utc).isoformat(), **more}

    yield event("turn_start", "start", user="What does my order cost?")
    yield event(
        "tool_end", "call_1",
        call={"id": "call_1", "tool": "orders", "iteration": 1, "args": {"customer": "ann"}},
        result={"order": 44170, "total": 20.5},
    )
    yield event("answer", "answer", iteration=2, calls=["call_1"], text="Order 44170 costs 20.50, reference 88123.")


async def main():
    servers = os.environ.get("NATS_URL", "nats://127.0.0.1:4222").split(",")
    producer = Producer(await nats.connect(servers, max_reconnect_attempts=-1))
    for event in events():
        ack = await producer.publish(event)
        print(f"stored in {ack.stream} at {ack.seq}")
    await producer.close()


if __name__ == "__main__":
    asyncio.run(main())
