import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { beforeAll, describe, expect, test } from 'vitest';
import { closeAfterwards } from '../support/afterwards.ts';
import { BUY, client, SOON_OVER_MS, YES } from './fixture.ts';
import { CERTIFICATE, KEY } from './loopback-certificate.ts';

/** Takes connections and requests, and answers nothing. `ended` tells how its one TCP connection came to its end. */
async function deafVendor(
  server: Server,
  established: 'connection' | 'secureConnection',
): Promise<{ readonly port: number; readonly ended: Promise<string> }> {
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.on(established, (socket: Socket) => {
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    socket.on('end', () => resolve('end'));
    socket.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeAfterwards({
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  });
  return { port: (server.address() as AddressInfo).port, ended };
}

beforeAll(() => setDefaultCACertificates([...getCACertificates('default'), CERTIFICATE]));

// A connection that is closed in order lets the kernel go on sending what it holds, for minutes while the network is cut: the vendor
// would get a purchase that people were told about long ago.
describe('a purchase that is given up does not leave later: its connection is reset', () => {
  test.each([
    ['over TCP', 'http', 'connection', () => createServer()],
    ['under TLS', 'https', 'secureConnection', () => createTlsServer({ cert: CERTIFICATE, key: KEY })],
  ] as const)('%s', async (_how, scheme, established, server) => {
    const { port, ended } = await deafVendor(server(), established);
    const answer = await client(`${scheme}://127.0.0.1:${port}`, { timeoutMs: SOON_OVER_MS }).send(BUY, YES);
    expect(answer).toMatchObject({ outcome: 'unknown', why: 'the vendor did not answer within 1 s' });
    expect(answer.startedAt).not.toBeNull();
    expect(await ended).toBe('ECONNRESET');
  });
});
