import { type Cut, startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

/** A network between the bot and its database. */
export interface Cutter extends TcpProxy {
  readonly url: string;
  /** The next COMMIT fails so; resolves when it has. */
  cutAtCommit(how: Cut): ReturnType<TcpProxy['cutAt']>;
}

export async function startCutter(target: string): Promise<Cutter> {
  const proxy = await startTcpProxy();
  return Object.assign(proxy, {
    url: proxy.through(target),
    cutAtCommit: (how: Cut) => proxy.cutAt('; COMMIT\0', how),
  });
}
