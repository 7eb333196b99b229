import { connect as connectTcp, type Socket } from 'node:net';
import { buildConnector } from 'undici';

/** How an agent reaches the vendor, with a hold on the TCP connection below TLS. */
export type Connection = {
  readonly connect: buildConnector.connector;
  /**
   * Ends the connection with a reset. A socket that is only destroyed says goodbye in order: the kernel goes on sending what it holds,
   * for minutes where the network is cut, and the vendor gets a purchase that was given up long ago.
   */
  readonly reset: () => void;
};

/** One TCP connection for one request. HTTP/1.1 only: over HTTP/2 undici sends a refused stream again. */
export function resettable(timeoutMs: number): Connection {
  const secure = buildConnector({ allowH2: false, timeout: timeoutMs });
  let tcp: Socket | undefined;
  return {
    connect(options, callback) {
      const isTls = options.protocol === 'https:';
      // The host of an address like [::1] keeps its brackets; the hostname that undici passes on has none.
      const socket = connectTcp({ host: options.hostname, port: Number(options.port || (isTls ? 443 : 80)) });
      tcp = socket;
      const failed = (error: Error) => callback(error, null);
      socket.once('error', failed);
      socket.once('connect', () => {
        socket.off('error', failed);
        if (isTls) secure({ ...options, httpSocket: socket }, callback);
        else callback(null, socket);
      });
    },
    reset() {
      // Node resets a connection that is still being made only once it stands, which may be never.
      if (tcp?.connecting) tcp.destroy();
      else tcp?.resetAndDestroy();
    },
  };
}
