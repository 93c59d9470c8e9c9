// Publishes the events of agentfootprint as they are: Plumbline reads the library's own envelopes {type, payload, meta}.
//
// In an agent, hand the listener to the library, and close the forwarder when the agent ends:
//
//   const forwarder = new Forwarder(jetstream(await connect({ servers })), { tenant: "acme", agent: "desk" });
//   runner.on("*", (envelope) => forwarder.forward(envelope));
//   …
//   await forwarder.close();
//
// As a program it publishes a recording, one envelope a line, and prints the verdicts on the answers in it:
//
//   node agentfootprint.mjs --servers nats://127.0.0.1:4222 --tenant acme --agent desk recording.jsonl

import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { jetstream } from "@nats-io/jetstream";
import { connect, headers } from "@nats-io/transport-node";

// The areas of which no event holds what an answer could rest on. Plumbline passes them over as well: this saves the way.
const needless = /^agentfootprint\.(cost|stream\.(token|thinking_delta|tool_progress))\b/;

// A subject token: every byte outside A-Z a-z 0-9 - _ ~ is %XX, and an empty value is %00.
export function token(value) {
  if (value === "") return "%00";
  const hex = (byte) => "%" + byte.toString(16).toUpperCase().padStart(2, "0");
  return [...new TextEncoder().encode(value)]
    .map((byte) => (/[A-Za-z0-9_~-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : hex(byte)))
    .join("");
}

// Publishes envelopes one after the other, in the order in which they come: what a message says depends on those before
// it. An envelope that cannot be stored is tried again until it is, so nothing is lost while the server is away.
export class Forwarder {
  #js;
  #names;
  #last = Promise.resolve();
  #self = randomUUID();
  #count = 0;

  constructor(js, names) {
    this.#js = js;
    this.#names = names;
  }

  // Takes an envelope and returns at once: an agent never waits for its audit.
  forward(envelope) {
    if (needless.test(envelope.type)) return;
    const conversation = envelope.meta.sessionId ?? envelope.meta.runId;
    const tenant = envelope.meta.tenant ?? this.#names.tenant;
    const subject = ["agent.events", token(tenant), token(this.#names.agent), token(conversation)].join(".");
    const id = `${this.#self}:${this.#count++}`; // the server drops what comes twice under one id
    const payload = JSON.stringify(envelope);
    this.#last = this.#last.then(() => this.#store(subject, id, payload));
  }

  async #store(subject, id, payload) {
    const h = headers();
    h.set("Content-Type", "application/json");
    for (let pause = 100; ; pause = Math.min(2 * pause, 10_000)) {
      try {
        await this.#js.publish(subject, payload, { msgID: id, headers: h });
        return;
      } catch (err) {
        console.error(`not stored yet, trying again in ${pause} ms: ${err.message}`);
        await new Promise((done) => setTimeout(done, pause));
      }
    }
  }

  // Waits until everything is stored.
  async close() {
    await this.#last;
  }
}

// Prints each of the first so many verdicts about the conversations of an agent, one JSON object a line.
async function printVerdicts(js, { tenant, agent }, count) {
  const consumer = await js.consumers.get("AGENT_AUDIT", {
    filter_subjects: `agent.audit.evidence_checked.*.${token(tenant)}.${token(agent)}.>`,
  });
  const messages = await consumer.consume();
  for await (const m of messages) {
    console.log(m.string());
    if (--count <= 0) break;
  }
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      servers: { type: "string", default: "nats://127.0.0.1:4222" },
      tenant: { type: "string", default: "acme" },
      agent: { type: "string", default: "desk" },
    },
  });
  if (positionals.length !== 1) throw new Error("want one file: a recording, one envelope a line");
  const lines = (await readFile(positionals[0], "utf8")).split("\n").filter((line) => line.trim() !== "");
  const envelopes = lines.map((line) => JSON.parse(line));

  const connection = await connect({ servers: values.servers });
  const js = jetstream(connection);
  const forwarder = new Forwarder(js, values);
  for (const envelope of envelopes) forwarder.forward(envelope);
  await forwarder.close();
  const answers = envelopes.filter((envelope) => envelope.type === "agentfootprint.agent.turn_end").length;
  await printVerdicts(js, values, answers);
  await connection.close();
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
