import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A line to a port on this machine that can be cut: then connecting is refused, and nothing is carried. */
export interface Line {
  /** Where to connect instead of to `baseUrl`. */
  readonly through: (baseUrl: string) => string;
  /** At once; what is under way goes on. */
  cut(): void;
  mend(): Promise<void>;
  close(): Promise<void>;
}

export async function openLine(): Promise<Line> {
  let target = 0;
  const sockets = new Set<Socket>();
  const accept = (near: Socket) => {
    const far = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    near.pipe(far).pipe(near);
  };
  const listen = async (port: number): Promise<Server> => {
    const server = createServer(accept).listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  let server = await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    through(baseUrl) {
      target = Number(new URL(baseUrl).port);
      return `http://127.0.0.1:${port}`;
    },
    cut: () => void server.close(),
    async mend() {
      server = await listen(port);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
