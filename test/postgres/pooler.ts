import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import pg from 'pg';

/**
 * A pooler in transaction mode: whoever is connected to it stays connected, and each transaction goes to whatever server and database
 * it leads to then, over a connection that knows nothing of earlier settings, or what others have left there.
 */
interface Pooler {
  readonly url: string;
  /** What the server has refused so far, by SQLSTATE. */
  readonly refused: readonly string[];
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

interface PoolerOptions {
  /** Connections to the server are used again, the last one first, by whoever comes; else each is for one transaction. */
  readonly reuses?: true;
}

export async function startPooler(first: string, { reuses }: PoolerOptions = {}): Promise<Pooler> {
  let target = first;
  const clients = new Set<Socket>();
  const idle: Server[] = [];
  const refused: string[] = [];
  const take = async () => idle.pop() ?? (await connected(target, refused));
  const leave = (server: Server) => void (reuses ? idle.push(server) : server.socket.destroy());
  const listener = createServer((client) => {
    clients.add(client);
    client.on('error', () => client.destroy());
    client.on('close', () => clients.delete(client));
    client.once('data', () => {
      client.write(Buffer.concat([AUTHENTICATION_OK, READY]));
      serve(client, take, leave);
    });
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const url = new URL(first);
  url.port = String(address.port);
  return {
    url: url.href,
    refused,
    aim(other) {
      target = other;
    },
    async close() {
      for (const client of clients) client.destroy();
      for (const { socket } of idle) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}

/** A connection to the server that is logged in, as raw bytes. */
interface Server {
  readonly socket: Socket;
  /** Told when it is outside of any transaction again. */
  hear: (answer: Buffer, over: boolean) => void;
}

/** The driver waits for the answer to each message, so that a transaction never begins before the one before has ended. */
function serve(client: Socket, take: () => Promise<Server>, leave: (server: Server) => void): void {
  let lent: Promise<Server> | undefined;
  client.on('data', (chunk: Buffer) => {
    // A goodbye is the client's, not the server's.
    if (chunk.toString('latin1', 0, 1) === 'X') return;
    lent ??= take().then((server) => {
      server.hear = (answer, over) => {
        if (over) {
          lent = undefined;
          leave(server);
        }
        client.write(answer);
      };
      return server;
    });
    void lent.then(({ socket }) => socket.write(chunk));
  });
  client.on('close', () => void lent?.then(({ socket }) => socket.destroy()));
}

async function connected(target: string, refused: string[]): Promise<Server> {
  const driver = new pg.Client({ connectionString: target });
  driver.on('error', () => {});
  await driver.connect();
  const { stream } = (driver as unknown as { connection: { stream: Socket } }).connection;
  stream.removeAllListeners('data');
  const server: Server = { socket: stream, hear: () => {} };
  let pending = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    let over = false;
    while (pending.length >= 5 && pending.length > pending.readInt32BE(1)) {
      const end = pending.readInt32BE(1) + 1;
      const said = pending.toString('latin1', 0, end);
      over = said.startsWith('Z') && said[5] === 'I';
      const [, code] = /^E.*?\0C(\w{5})\0/s.exec(said) ?? [];
      if (code !== undefined) refused.push(code);
      pending = pending.subarray(end);
    }
    server.hear(chunk, over);
  });
  return server;
}
