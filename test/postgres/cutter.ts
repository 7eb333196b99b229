import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * What a network may do to the connection that a COMMIT travels on:
 * - before: cut; the server never sees it.
 * - after: the server carries it out, and its answer is lost.
 * - late: cut for the client; the server sees it when `deliver` is called.
 */
export type Cut = 'before' | 'after' | 'late';

/** A network between the bot and its database, which fails when it is told to. */
export interface Cutter {
  /** The same database, by way of this network. */
  readonly url: string;
  /** The next COMMIT fails so; resolves when it has. */
  cutAtCommit(how: Cut): Promise<{ readonly deliver: () => void }>;
  /** All connections break, and new ones are refused until `up`. */
  down(): void;
  up(): void;
  /** All connections break; new ones may be made. */
  drop(): void;
  /** All connections break, and new ones lead to another server: as an address does that follows the primary. */
  aim(port: number): void;
  close(): Promise<void>;
}

export async function startCutter(target: string): Promise<Cutter> {
  let { port } = new URL(target);
  const pairs = new Set<{ readonly client: Socket; readonly server: Socket }>();
  let reachable = true;
  let next: { readonly how: Cut; readonly done: (result: { deliver: () => void }) => void } | undefined;

  const listener = createServer((client) => {
    if (!reachable) {
      client.destroy();
      return;
    }
    const server = connect(Number(port), '127.0.0.1');
    const pair = { client, server };
    pairs.add(pair);
    let held = false;
    for (const socket of [client, server]) socket.on('error', () => socket.destroy());
    client.on('close', () => {
      if (!held) server.destroy();
    });
    server.on('close', () => {
      client.destroy();
      pairs.delete(pair);
    });
    server.on('data', (chunk) => client.write(chunk));
    client.on('data', (chunk) => {
      if (!next || !chunk.includes('; COMMIT\0')) {
        server.write(chunk);
        return;
      }
      const { how, done } = next;
      next = undefined;
      held = how !== 'before';
      switch (how) {
        case 'before':
          client.destroy();
          done({ deliver: () => {} });
          break;
        case 'after':
          server.removeAllListeners('data');
          server.once('data', () => {
            client.destroy();
            server.destroy();
            done({ deliver: () => {} });
          });
          server.write(chunk);
          break;
        case 'late':
          client.destroy();
          done({ deliver: () => void server.write(chunk) });
          break;
        default:
          how satisfies never;
      }
    });
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const url = new URL(target);
  url.port = String(address.port);

  const drop = () => {
    for (const { client, server } of pairs) {
      client.destroy();
      server.destroy();
    }
  };
  return {
    url: url.href,
    cutAtCommit(how) {
      const { promise, resolve } = Promise.withResolvers<{ deliver: () => void }>();
      next = { how, done: resolve };
      return promise;
    },
    down() {
      reachable = false;
      drop();
    },
    up() {
      reachable = true;
    },
    drop,
    aim(other) {
      port = String(other);
      drop();
    },
    async close() {
      drop();
      listener.close();
      await once(listener, 'close');
    },
  };
}
