import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * What a network may do to the connection that a message travels on:
 * - before: cut; the server never sees it.
 * - after: the server carries it out, and its answer is lost.
 * - late: cut for the client; the server sees it when `deliver` is called.
 */
export type Cut = 'before' | 'after' | 'late';

/** A network between a client and a server on this machine, which fails when it is told to, and otherwise passes on all: also a reset. */
export interface TcpProxy {
  readonly port: number;
  /** Leads to this server from now on. @returns its address by way of the proxy. */
  through(address: string): string;
  /** All connections break, and new ones lead to another server: as an address does that follows the primary. */
  aim(port: number): void;
  /** All connections break; new ones may be made. */
  drop(): void;
  /** New connections are refused until `up`, or for so long; those that stand go on. */
  refuse(forMs?: number): void;
  /** All connections break, and new ones are refused until `up`. */
  down(): void;
  up(): Promise<void>;
  /** Whether connections were ever refused. */
  readonly refused: boolean;
  /** The next message of a client with these words fails so; resolves when it has. */
  cutAt(words: string, how: Cut): Promise<{ readonly deliver: () => void }>;
  /** Every byte that clients have sent, one character a byte. */
  readonly received: string;
  /** How many there were. */
  readonly connections: number;
  close(): Promise<void>;
}

/** Without a server to lead to it takes what comes, and says nothing. */
export async function startTcpProxy(): Promise<TcpProxy> {
  let target: number | undefined;
  let refused = false;
  let received = '';
  let connections = 0;
  let reopening: NodeJS.Timeout | undefined;
  let next: { readonly words: string; readonly how: Cut; readonly done: (deliver: () => void) => void } | undefined;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket, whenClosed: () => void) => {
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      whenClosed();
    });
  };

  const listener = createServer({ allowHalfOpen: true }, (client) => {
    connections += 1;
    const server = target === undefined ? undefined : connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
    let answered: (() => void) | undefined;
    let held = false;
    keep(client, () => held || server?.destroy());
    client.on('error', () => server?.resetAndDestroy());
    client.on('end', () => (server ?? client).end());
    client.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (!next || !chunk.includes(next.words)) {
        server?.write(chunk);
        return;
      }
      const { how, done } = next;
      next = undefined;
      held = how !== 'before';
      if (how === 'after') {
        answered = () => {
          client.destroy();
          server?.destroy();
          done(() => {});
        };
        server?.write(chunk);
        return;
      }
      client.destroy();
      done(how === 'late' ? () => server?.write(chunk) : () => {});
    });
    if (!server) return;
    keep(server, () => client.destroy());
    server.on('error', () => client.resetAndDestroy());
    server.on('end', () => client.end());
    server.on('data', (chunk) => (answered ? answered() : client.write(chunk)));
  });
  const listen = async (port: number) => {
    listener.listen(port, '127.0.0.1');
    await once(listener, 'listening');
  };
  await listen(0);
  const { port } = listener.address() as AddressInfo;

  const proxy: TcpProxy = {
    port,
    through(address) {
      target = Number(new URL(address).port);
      return address.replace(/:\d+(?=\/|$)/, `:${port}`);
    },
    aim(other) {
      target = other;
      proxy.drop();
    },
    drop() {
      for (const socket of sockets) socket.destroy();
    },
    refuse(forMs) {
      refused = true;
      listener.close();
      if (forMs !== undefined) reopening = setTimeout(() => void proxy.up(), forMs);
    },
    down() {
      proxy.refuse();
      proxy.drop();
    },
    up: () => listen(port),
    get refused() {
      return refused;
    },
    cutAt(words, how) {
      const { promise, resolve } = Promise.withResolvers<{ readonly deliver: () => void }>();
      next = { words, how, done: (deliver) => resolve({ deliver }) };
      return promise;
    },
    get received() {
      return received;
    },
    get connections() {
      return connections;
    },
    async close() {
      clearTimeout(reopening);
      proxy.drop();
      if (!listener.listening) return;
      listener.close();
      await once(listener, 'close');
    },
  };
  return proxy;
}
