import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

export const HOST = '127.0.0.1';

/** Listens on the port asked for, or the next one that is free; `taken` hears of each that is not. */
export async function listenNear(server: Server, wanted: number, taken: (port: number) => void): Promise<number> {
  for (const port of [wanted, wanted + 1, wanted + 2, wanted + 3, 0]) {
    try {
      return await listen(server, port);
    } catch (error) {
      if (!isTaken(error)) throw error;
      taken(port);
    }
  }
  throw new Error('There is no free port');
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, HOST);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['EADDRINUSE', 'EACCES'].includes(String(error.code));
}
