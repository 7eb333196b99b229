import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

/** The base URL of a port on which nobody listens: "connection refused". */
export async function closedPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

export type DeafPort = { readonly baseUrl: string; close(): Promise<void> };

/**
 * A port on which connecting never ends: its queue of unaccepted connections is full and the thread that should accept
 * sleeps, so the kernel drops every further SYN. (Linux; elsewhere the connection may be refused instead.)
 */
export async function deafPort(): Promise<DeafPort> {
  const wake = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(ACCEPTS_NOBODY, { eval: true, workerData: wake });
  const [port] = (await once(worker, 'message')) as [number];
  const fillers: Socket[] = [];
  for (let i = 0; i < FILLERS; i++) {
    const filler = connect(port, '127.0.0.1');
    filler.on('error', () => {});
    fillers.push(filler);
  }
  await once(fillers[0] as Socket, 'connect');
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    async close() {
      for (const filler of fillers) filler.destroy();
      Atomics.store(wake, 0, 1);
      Atomics.notify(wake, 0);
      await worker.terminate();
    },
  };
}

/** With a backlog of 1 Linux queues two; the rest is to be sure. */
const FILLERS = 6;

const ACCEPTS_NOBODY = `
  const { createServer } = require('node:net');
  const { parentPort, workerData } = require('node:worker_threads');
  const server = createServer();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(workerData, 0, 0);
  });
`;

/** A server that takes what comes and says nothing: with an https URL, a TLS handshake that never ends. */
export async function silentPort(): Promise<{ readonly port: number; received(): string; close(): Promise<void> }> {
  let received = '';
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received: () => received,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
