import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Recorder {
  readonly port: number;
  /** Every byte that came in, one character a byte. */
  readonly received: string;
  readonly connections: number;
  close(): Promise<void>;
}

/** A port that keeps every byte that a client sends, and passes it on where a target is given. */
export async function record(target?: number): Promise<Recorder> {
  let received = '';
  let connections = 0;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    connections += 1;
    keep(client);
    client.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    if (target === undefined) return;
    const onward = connect(target, '127.0.0.1');
    keep(onward);
    client.pipe(onward).pipe(client);
    // One end that breaks takes the other with it.
    onward.on('close', () => client.destroy());
    client.on('close', () => onward.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get received() {
      return received;
    },
    get connections() {
      return connections;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
