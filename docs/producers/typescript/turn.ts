// Publishes one turn of a conversation: what the person said, what a tool gave, what the agent answered.
//
//   NATS_URL=nats://127.0.0.1:4222 npm run turn

import { Producer } from "./plumbline.js";

const producer = await Producer.connect({ servers: (process.env["NATS_URL"] ?? "nats://127.0.0.1:4222").split(",") });

const turn = { v: 1, tenant: "acme", agent: "order desk", conversation: "typescript.1", turn: 1 } as const;
const id = (event: string) => `${turn.conversation}/${turn.turn}/${event}`; // the same when this runs again
const now = () => new Date().toISOString();

// The events of a conversation are stored in the order in which they are given, so only the last is waited for.
const sent = [
  producer.publish({ ...turn, type: "turn_start", id: id("start"), time: now(), user: "What does my order cost?" }),
  producer.publish({
    ...turn, type: "tool_end", id: id("call_1"), time: now(),
    call: { id: "call_1", tool: "orders", iteration: 1, args: { customer: "ann" } },
    result: { order: 44170, total: 20.5 },
  }),
  producer.publish({
    ...turn, type: "answer", id: id("answer"), time: now(), iteration: 2, calls: ["call_1"],
    text: "Order 44170 costs 20.50, reference 88123.",
  }),
];
for (const ack of await Promise.all(sent)) {
  console.log(`stored in ${ack.stream} at ${ack.seq}${ack.duplicate ? ", which it had already" : ""}`);
}
await producer.close();
