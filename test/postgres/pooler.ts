import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import pg from 'pg';

/**
 * A pooler in transaction mode: whoever is connected to it stays connected, and each transaction goes to whatever server and database
 * it leads to then, over a connection of its own that knows nothing of earlier settings.
 */
interface Pooler {
  readonly url: string;
  /** From the next transaction on, to this database. */
  aim(target: string): void;
  close(): Promise<void>;
}

const message = (type: string, body: Buffer) => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const AUTHENTICATION_OK = message('R', Buffer.alloc(4));
const READY = message('Z', Buffer.from('I'));

export async function startPooler(first: string): Promise<Pooler> {
  let target = first;
  const clients = new Set<Socket>();
  const listener = createServer((client) => {
    clients.add(client);
    client.on('error', () => client.destroy());
    client.on('close', () => clients.delete(client));
    client.once('data', () => {
      client.write(Buffer.concat([AUTHENTICATION_OK, READY]));
      serve(client, () => target);
    });
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const url = new URL(first);
  url.port = String(address.port);
  return {
    url: url.href,
    aim(other) {
      target = other;
    },
    async close() {
      for (const client of clients) client.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}

/** The driver waits for the answer to each message, so that a transaction never begins before the one before has ended. */
function serve(client: Socket, target: () => string): void {
  let server: Promise<Socket> | undefined;
  client.on('data', (chunk) => {
    server ??= connected(target(), (answer, over) => {
      client.write(answer);
      if (over) server = undefined;
    });
    void server.then((socket) => socket.write(chunk));
  });
  client.on('close', () => void server?.then((socket) => socket.destroy()));
}

/** A connection that is logged in, as raw bytes. `hear` is told when it is outside of any transaction again; then it is closed. */
async function connected(target: string, hear: (answer: Buffer, over: boolean) => void): Promise<Socket> {
  const driver = new pg.Client({ connectionString: target });
  driver.on('error', () => {});
  await driver.connect();
  const { stream } = (driver as unknown as { connection: { stream: Socket } }).connection;
  stream.removeAllListeners('data');
  let pending = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    let over = false;
    while (pending.length >= 5 && pending.length > pending.readInt32BE(1)) {
      const end = pending.readInt32BE(1) + 1;
      over = pending.toString('latin1', 0, 1) === 'Z' && pending.toString('latin1', 5, 6) === 'I';
      pending = pending.subarray(end);
    }
    hear(chunk, over);
    if (over) stream.destroy();
  });
  return stream;
}
