// A producer of events for Plumbline: the right subject, the id that lets the server drop what comes twice, and another try
// until the server has said that the event is stored. Copy this file; it needs the two packages that it imports.

import { jetstream, JetStreamApiError, type JetStreamClient, type PubAck } from "@nats-io/jetstream";
import {
  ClosedConnectionError, connect, DrainingConnectionError, headers, InvalidArgumentError, InvalidSubjectError, type NatsConnection,
  type NodeConnectionOptions, PermissionViolationError,
} from "@nats-io/transport-node";

/** What every event says. schemas/*.v1.json describes each field. */
interface Common {
  v: 1;
  id: string; // unique, and the same when the event is published again
  time?: string;
  tenant: string;
  agent: string;
  conversation: string;
  turn: number; // from 1
}

export interface TurnStart extends Common {
  type: "turn_start";
  user?: string;
  context?: string[];
  unseen?: string[];
}

export interface ToolEnd extends Common {
  type: "tool_end";
  call: { id: string; tool: string; iteration: number; args?: unknown };
  result: unknown; // there also when the call failed; null is a result
  modelResult?: unknown;
  error?: boolean | string | object;
  status?: string;
  durationMs?: number;
  door?: { absent?: boolean; bounded?: boolean; described?: unknown };
  script?: { program: string; language?: string; label?: string; exitCode?: number };
}

export interface Answer extends Common {
  type: "answer";
  iteration: number; // from 0
  text: string;
  user?: string;
  context?: string[];
  calls?: string[]; // the ids of the calls that this turn made
  final?: boolean;
  afterRevision?: boolean;
  unseen?: string[];
}

export type Event = TurnStart | ToolEnd | Answer;

/** One token of a subject: every byte outside A-Z a-z 0-9 - _ ~ is written %XX, and an empty name %00. */
export function token(name: string): string {
  if (name === "") return "%00";
  let out = "";
  for (const byte of new TextEncoder().encode(name)) {
    const char = String.fromCharCode(byte);
    out += /[A-Za-z0-9_~-]/.test(char) ? char : "%" + byte.toString(16).toUpperCase().padStart(2, "0");
  }
  return out;
}

/** The subject that all events of a conversation are published on. */
export function subject(of: { tenant: string; agent: string; conversation: string }, prefix = "agent"): string {
  return [prefix, "events", token(of.tenant), token(of.agent), token(of.conversation)].join(".");
}

export interface ProducerOptions extends NodeConnectionOptions {
  prefix?: string; // the consumer's --prefix
  giveUpAfter?: number; // milliseconds that one event is tried for; five minutes when it is not said
}

/**
 * Publishes events. Those of one conversation are stored in the order in which they were given; conversations do not wait
 * for one another. What is given and not yet stored is held in memory: await publish to hold one event at a time.
 */
export class Producer {
  #last = new Map<string, Promise<unknown>>(); // by subject: the event that the next one waits for

  private constructor(
    private nc: NatsConnection,
    private js: JetStreamClient,
    private prefix: string,
    private giveUpAfter: number,
  ) {}

  /** Connects, and stays connected: a server that goes away is waited for. */
  static async connect({ prefix, giveUpAfter, ...connection }: ProducerOptions): Promise<Producer> {
    const nc = await connect({ maxReconnectAttempts: -1, waitOnFirstConnect: true, ...connection });
    return new Producer(nc, jetstream(nc), prefix ?? "agent", giveUpAfter ?? 300_000);
  }

  /** Publishes an event. The promise ends when the server has stored it, or when it never will. */
  publish(event: Event): Promise<PubAck> {
    return this.send(subject(event, this.prefix), event.id, new TextEncoder().encode(JSON.stringify(event)));
  }

  /** Publishes bytes on a subject: what another format has, or another encoding, which the headers then say. */
  send(on: string, id: string, data: Uint8Array, more: Record<string, string> = {}): Promise<PubAck> {
    const before = this.#last.get(on) ?? Promise.resolve();
    const stored = before.then(() => this.#store(on, id, data, more));
    const settled = stored.catch(() => undefined).finally(() => {
      if (this.#last.get(on) === settled) this.#last.delete(on);
    });
    this.#last.set(on, settled);
    return stored;
  }

  async #store(on: string, id: string, data: Uint8Array, more: Record<string, string>): Promise<PubAck> {
    const deadline = Date.now() + this.giveUpAfter;
    for (let pause = 100; ; pause = Math.min(pause * 2, 5_000)) {
      const h = headers();
      h.set("Content-Type", "application/json");
      for (const [name, value] of Object.entries(more)) h.set(name, value);
      try {
        return await this.js.publish(on, data, { msgID: id, headers: h, timeout: 5_000 });
      } catch (err) {
        if (isLasting(err) || Date.now() + pause > deadline) throw err;
      }
      await new Promise((go) => setTimeout(go, pause * (0.5 + Math.random() / 2)));
    }
  }

  /** Waits for everything that was given, and ends the connection. */
  async close(): Promise<void> {
    await Promise.all(this.#last.values());
    await this.nc.drain();
  }
}

/** Whether another try would end the same way. Everything else is tried again: no answer, no leader, no server. */
function isLasting(err: unknown): boolean {
  if (err instanceof JetStreamApiError) return err.status >= 400 && err.status < 500;
  if (err instanceof Error && err.cause && isLasting(err.cause)) return true;
  return [ClosedConnectionError, DrainingConnectionError, InvalidArgumentError, InvalidSubjectError, PermissionViolationError]
    .some((lasting) => err instanceof lasting);
}
