import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The way to the vendor. Shut, connections are refused; those that are open go on. */
export interface Gate {
  readonly url: string;
  shutFor(ms: number): void;
  /** Whether it ever was. */
  readonly shut: boolean;
  close(): Promise<void>;
}

export async function openGate(vendorPort: number): Promise<Gate> {
  const sockets = new Set<Socket>();
  const listener = createServer({ allowHalfOpen: true }, (client) => {
    const vendor = connect({ port: vendorPort, host: '127.0.0.1', allowHalfOpen: true });
    for (const [socket, other] of [
      [client, vendor],
      [vendor, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.resetAndDestroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  let shut = false;
  let reopening: NodeJS.Timeout | undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    get shut() {
      return shut;
    },
    shutFor(ms) {
      shut = true;
      listener.close();
      reopening = setTimeout(() => listener.listen(port, '127.0.0.1'), ms);
    },
    async close() {
      clearTimeout(reopening);
      for (const socket of sockets) socket.destroy();
      if (!listener.listening) return;
      listener.close();
      await once(listener, 'close');
    },
  };
}
